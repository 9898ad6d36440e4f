package bootdyno.subjects.reactiver2dbc

import bootdyno.subjects.person.Person
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono

/**
 * Each operation is one transaction; what is changed or deleted is read in it first, and every step is part of the chain that
 * gets subscribed to. Open, because a transaction begins in a subclass that Spring makes.
 */
@Service
open class People(private val repository: PersonRepository) {
    @Transactional
    open fun create(person: Person): Mono<Person> =
        repository.save(PersonRow(name = person.name, description = person.description)).map { it.toPerson() }

    @Transactional(readOnly = true)
    open fun list(): Flux<Person> = repository.findAll().map { it.toPerson() }

    /** Empty where there is no such person, as are [update] and [delete]. */
    @Transactional(readOnly = true)
    open fun read(id: Long): Mono<Person> = repository.findById(id).map { it.toPerson() }

    @Transactional
    open fun update(id: Long, person: Person): Mono<Person> = repository.findById(id)
        .flatMap { repository.save(it.copy(name = person.name, description = person.description)) }
        .map { it.toPerson() }

    /** The person that is no more. */
    @Transactional
    open fun delete(id: Long): Mono<Person> = repository.findById(id).flatMap { repository.delete(it).thenReturn(it.toPerson()) }
}
