package bootdyno.subjects.reactiver2dbc

import org.springframework.data.r2dbc.repository.R2dbcRepository

/** Implemented by Spring Data. */
interface PersonRepository : R2dbcRepository<PersonRow, Long>
