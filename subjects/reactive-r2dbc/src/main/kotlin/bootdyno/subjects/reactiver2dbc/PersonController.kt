package bootdyno.subjects.reactiver2dbc

import bootdyno.subjects.person.Person
import jakarta.validation.Valid
import org.springframework.http.HttpStatus
import org.springframework.web.bind.annotation.DeleteMapping
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.PutMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.ResponseStatus
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono

/** Create, read, update and delete as reactive chains on event loops. */
@RestController
@RequestMapping("/person")
class PersonController(private val people: People) {
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    fun create(@Valid @RequestBody person: Person): Mono<Person> = people.create(person)

    @GetMapping
    fun list(): Flux<Person> = people.list()

    @GetMapping("/{id}")
    fun read(@PathVariable("id") id: Long): Mono<Person> = people.read(id).switchIfEmpty(unknown())

    /** A body with another id than the path is rejected without a database query. */
    @PutMapping("/{id}")
    fun update(@PathVariable("id") id: Long, @Valid @RequestBody person: Person): Mono<Person> {
        if (person.id != id) return Mono.error(ResponseStatusException(HttpStatus.BAD_REQUEST))
        return people.update(id, person).switchIfEmpty(unknown())
    }

    @DeleteMapping("/{id}")
    fun delete(@PathVariable("id") id: Long): Mono<Void> = people.delete(id).switchIfEmpty(unknown()).then()

    private fun unknown(): Mono<Person> = Mono.error { ResponseStatusException(HttpStatus.NOT_FOUND) }
}
