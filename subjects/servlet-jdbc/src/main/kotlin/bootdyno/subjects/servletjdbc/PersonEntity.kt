package bootdyno.subjects.servletjdbc

import bootdyno.subjects.person.Person
import jakarta.persistence.Entity
import jakarta.persistence.GeneratedValue
import jakarta.persistence.GenerationType
import jakarta.persistence.Id
import jakarta.persistence.Table

/** A row as Hibernate keeps it: mutable, made without arguments, and compared with its first state when the transaction ends. */
@Entity
@Table(name = "person")
class PersonEntity(
    @field:Id
    @field:GeneratedValue(strategy = GenerationType.IDENTITY)
    var id: Long? = null,
    var name: String = "",
    var description: String = "",
) {
    fun toPerson() = Person(id, name, description)
}
