package bootdyno.subjects.person

import jakarta.validation.constraints.Size

/**
 * What the REST contract carries, in requests and answers alike; lengths are in UTF-16 units.
 *
 * [id] is the database's to give: whoever creates a person leaves it out, and what stands there is ignored.
 */
data class Person(
    val id: Long? = null,
    @field:Size(min = 3, max = 128) val name: String,
    @field:Size(min = 3, max = 256) val description: String,
)
