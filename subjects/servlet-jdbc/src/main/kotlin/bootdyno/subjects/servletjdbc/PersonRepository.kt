package bootdyno.subjects.servletjdbc

import org.springframework.data.jpa.repository.JpaRepository

/** Implemented by Spring Data. */
interface PersonRepository : JpaRepository<PersonEntity, Long>
