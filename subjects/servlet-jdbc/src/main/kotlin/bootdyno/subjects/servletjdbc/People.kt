package bootdyno.subjects.servletjdbc

import bootdyno.subjects.person.Person
import org.springframework.data.repository.findByIdOrNull
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

/**
 * Each operation is one transaction. Changes and deletions first read the row. Open, because Spring implements transactions in a subclass.
 */
@Service
open class People(private val repository: PersonRepository) {
    /** The insert returns the key; a separate sequence would need another statement. */
    @Transactional
    open fun create(person: Person): Person =
        repository.save(PersonEntity(name = person.name, description = person.description)).toPerson()

    @Transactional(readOnly = true)
    open fun list(): List<Person> = repository.findAll().map { it.toPerson() }

    @Transactional(readOnly = true)
    open fun read(id: Long): Person? = repository.findByIdOrNull(id)?.toPerson()

    /** Hibernate writes changed values only. */
    @Transactional
    open fun update(id: Long, person: Person): Person? = repository.findByIdOrNull(id)?.let {
        it.name = person.name
        it.description = person.description
        it.toPerson()
    }

    @Transactional
    open fun delete(id: Long): Boolean = repository.findByIdOrNull(id)?.let { repository.delete(it) } != null
}
