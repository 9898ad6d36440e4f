package bootdyno.subjects.reactiver2dbc

import bootdyno.subjects.person.Person
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono

/**
 * Each operation is one transaction. Changes and deletions first read the row; every step is part of the subscribed chain. Open, because
 * Spring implements transactions in a subclass.
 */
@Service
open class People(private val repository: PersonRepository) {
    @Transactional
    open fun create(person: Person): Mono<Person> =
        repository.save(PersonRow(name = person.name, description = person.description)).map { it.toPerson() }

    @Transactional(readOnly = true)
    open fun list(): Flux<Person> = repository.findAll().map { it.toPerson() }

    /** Empty if there is no such person, like [update] and [delete]. */
    @Transactional(readOnly = true)
    open fun read(id: Long): Mono<Person> = repository.findById(id).map { it.toPerson() }

    @Transactional
    open fun update(id: Long, person: Person): Mono<Person> = repository.findById(id)
        .flatMap { repository.save(it.copy(name = person.name, description = person.description)) }
        .map { it.toPerson() }

    /** Returns the deleted person. */
    @Transactional
    open fun delete(id: Long): Mono<Person> = repository.findById(id).flatMap { repository.delete(it).thenReturn(it.toPerson()) }
}
