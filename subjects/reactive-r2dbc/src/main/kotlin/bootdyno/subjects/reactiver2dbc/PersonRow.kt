package bootdyno.subjects.reactiver2dbc

import bootdyno.subjects.person.Person
import org.springframework.data.annotation.Id
import org.springframework.data.relational.core.mapping.Table

/** A row for Spring Data R2DBC; new if [id] is null. */
@Table("person")
data class PersonRow(@field:Id val id: Long? = null, val name: String, val description: String) {
    fun toPerson() = Person(id, name, description)
}
