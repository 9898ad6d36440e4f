package bootdyno.subjects.servletjdbcclient

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

/** Create, read, update and delete on the request thread, which waits for the database. */
@RestController
@RequestMapping("/person")
class PersonController(private val people: People) {
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    fun create(@Valid @RequestBody person: Person): Person = people.create(person)

    @GetMapping
    fun list(): List<Person> = people.list()

    @GetMapping("/{id}")
    fun read(@PathVariable("id") id: Long): Person = people.read(id) ?: throw unknown()

    /** A body with another id than the path is rejected without a database query. */
    @PutMapping("/{id}")
    fun update(@PathVariable("id") id: Long, @Valid @RequestBody person: Person): Person {
        if (person.id != id) throw ResponseStatusException(HttpStatus.BAD_REQUEST)
        return people.update(id, person) ?: throw unknown()
    }

    @DeleteMapping("/{id}")
    fun delete(@PathVariable("id") id: Long) {
        if (!people.delete(id)) throw unknown()
    }

    private fun unknown() = ResponseStatusException(HttpStatus.NOT_FOUND)
}
