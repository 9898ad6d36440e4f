package bootdyno.subjects.servletjdbc

import bootdyno.subjects.person.Person
import jakarta.persistence.Entity
import jakarta.persistence.GeneratedValue
import jakarta.persistence.GenerationType
import jakarta.persistence.Id
import jakarta.persistence.Table

/** A row for Hibernate: mutable, with a constructor without arguments, and checked for changes at the end of the transaction. */
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
