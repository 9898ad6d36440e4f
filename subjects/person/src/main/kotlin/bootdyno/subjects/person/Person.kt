package bootdyno.subjects.person

import jakarta.validation.constraints.Size

/**
 * JSON of requests and responses; lengths are in UTF-16 units.
 *
 * [id] is assigned by the database and ignored in a request that creates a person.
 */
data class Person(
    val id: Long? = null,
    @field:Size(min = 3, max = 128) val name: String,
    @field:Size(min = 3, max = 256) val description: String,
)
