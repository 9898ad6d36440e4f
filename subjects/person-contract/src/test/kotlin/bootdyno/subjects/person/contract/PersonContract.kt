package bootdyno.subjects.person.contract

import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import java.util.concurrent.Executors
import java.util.concurrent.Future

class ServletJdbcContractTest : PersonContract(DatabaseSubject.SERVLET_JDBC)

class ServletJdbcClientContractTest : PersonContract(DatabaseSubject.SERVLET_JDBC_CLIENT)

class ReactiveR2dbcContractTest : PersonContract(DatabaseSubject.REACTIVE_R2DBC)

/** What every subject that keeps people does, as a process of its own on a real PostgreSQL. */
abstract class PersonContract(subject: DatabaseSubject) {
    private val process = RunningSubjects.empty(subject).process

    private fun list() = process.ask("GET", "/person").people()

    @Test
    fun `a new person is answered with 201 and an id`() {
        val answer = process.ask("POST", "/person", personJson("Ada Lovelace", "wrote the first program"))
        answer.status shouldBe 201
        answer.contentType.shouldNotBeNull() shouldStartWith "application/json"
        answer.person().name shouldBe "Ada Lovelace"
        answer.person().description shouldBe "wrote the first program"
    }

    @Test
    fun `the id is not for the client to choose`() {
        val first = process.create()
        val answer = process.ask("POST", "/person", personJson("Grace Hopper", "wrote a compiler", id = first.id))
        answer.status shouldBe 201
        answer.person().id shouldNotBe first.id
        list().map { it.name } shouldContainExactlyInAnyOrder listOf("Ada Lovelace", "Grace Hopper")
    }

    @Test
    fun `without anyone the list is empty`() {
        val answer = process.ask("GET", "/person")
        answer.status shouldBe 200
        answer.contentType.shouldNotBeNull() shouldStartWith "application/json"
        answer.body shouldBe "[]"
    }

    @Test
    fun `everyone is listed`() {
        val created = listOf("Ada Lovelace", "Grace Hopper", "Barbara Liskov").map { process.create(it) }
        list() shouldContainExactlyInAnyOrder created
    }

    @Test
    fun `a person is read as it was created, in any script`() {
        val created = process.create("Zoë Müller 李 🙂", "O'Brien -- ; DROP TABLE person")
        val answer = process.ask("GET", "/person/${created.id}")
        answer.status shouldBe 200
        answer.contentType.shouldNotBeNull() shouldStartWith "application/json"
        answer.person() shouldBe SeenPerson(created.id, "Zoë Müller 李 🙂", "O'Brien -- ; DROP TABLE person")
    }

    @Test
    fun `a person is read as it was updated, and nobody else is changed`() {
        val other = process.create("Grace Hopper")
        val created = process.create()
        val answer = process.ask("PUT", "/person/${created.id}", personJson("Ada King", "countess", created.id))
        answer.status shouldBe 200
        answer.person() shouldBe SeenPerson(created.id, "Ada King", "countess")
        list() shouldContainExactlyInAnyOrder listOf(other, SeenPerson(created.id, "Ada King", "countess"))
    }

    @Test
    fun `an update of one field, or of none, is an update`() {
        val created = process.create()
        process.ask("PUT", "/person/${created.id}", personJson("Ada King", created.description, created.id)).status shouldBe 200
        process.ask("PUT", "/person/${created.id}", personJson("Ada King", created.description, created.id)).status shouldBe 200
        list() shouldBe listOf(created.copy(name = "Ada King"))
    }

    @Test
    fun `an update whose body names another person, or none, is refused and changes nothing`() {
        val created = process.create()
        process.ask("PUT", "/person/${created.id}", personJson("Ada King", "countess", created.id + 1)).status shouldBe 400
        process.ask("PUT", "/person/${created.id}", personJson("Ada King", "countess")).status shouldBe 400
        list() shouldBe listOf(created)
    }

    @Test
    fun `a deleted person is gone, and nobody else is`() {
        val other = process.create("Grace Hopper")
        val created = process.create()
        process.ask("DELETE", "/person/${created.id}").let { it.status to it.body } shouldBe (200 to "")
        list() shouldBe listOf(other)
    }

    @Test
    fun `whoever is unknown is neither read nor updated nor deleted`() {
        val gone = process.create().id
        process.ask("DELETE", "/person/$gone").status shouldBe 200
        process.ask("GET", "/person/$gone").status shouldBe 404
        process.ask("PUT", "/person/$gone", personJson("Ada King", "countess", gone)).status shouldBe 404
        process.ask("DELETE", "/person/$gone").status shouldBe 404
        list() shouldHaveSize 0
    }

    @Test
    fun `a name has 3 to 128 characters, a description 3 to 256`() {
        val lengths = { name: Int, description: Int -> personJson("n".repeat(name), "d".repeat(description)) }
        val statuses = listOf(3 to 3, 128 to 256, 2 to 3, 129 to 3, 3 to 2, 3 to 257).associateWith { (name, description) ->
            process.ask("POST", "/person", lengths(name, description)).status
        }
        statuses shouldBe
            mapOf((3 to 3) to 201, (128 to 256) to 201, (2 to 3) to 400, (129 to 3) to 400, (3 to 2) to 400, (3 to 257) to 400)
        list() shouldHaveSize 2
    }

    @Test
    fun `an update is held to the same lengths`() {
        val created = process.create()
        val wrong = listOf("n".repeat(2) to "ddd", "n".repeat(129) to "ddd", "nnn" to "dd", "nnn" to "d".repeat(257))
        wrong.forEach { (name, text) ->
            withClue("${name.length} and ${text.length}") {
                process.ask("PUT", "/person/${created.id}", personJson(name, text, created.id)).status shouldBe 400
            }
        }
        list() shouldBe listOf(created)
    }

    @Test
    fun `what is no person is refused`() {
        val bodies = listOf("", "{", "[]", "{}", """{"name":"Ada Lovelace"}""", """{"name":null,"description":"wrote it"}""")
        bodies.associateWith { process.ask("POST", "/person", it).status } shouldBe bodies.associateWith { 400 }
        list() shouldHaveSize 0
    }

    @Test
    fun `an id that is no number is refused`() {
        val asked = listOf("GET", "DELETE").map { process.ask(it, "/person/ada").status } +
            process.ask("PUT", "/person/ada", personJson("Ada King", "countess", 1)).status
        asked shouldBe listOf(400, 400, 400)
    }

    @Test
    fun `many at once lose nobody`() {
        val names = (1..60).map { "Person number $it" }
        Executors.newVirtualThreadPerTaskExecutor().use { pool ->
            names.map { name -> pool.submit<SeenPerson> { process.create(name) } }.map(Future<SeenPerson>::get)
        }
        list().map { it.name } shouldContainExactlyInAnyOrder names
        list().map { it.id }.distinct() shouldHaveSize names.size
    }
}
