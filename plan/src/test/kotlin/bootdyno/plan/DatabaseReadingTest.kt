package bootdyno.plan

import bootdyno.model.Database
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class DatabaseReadingTest {
    private fun read(database: String) = sound("$SMALL\n$database").experiment.database

    private fun refused(database: String) = problems("$SMALL\n$database")

    @Test
    fun `an experiment without one has none`() {
        sound(SMALL).experiment.database shouldBe null
    }

    @Test
    fun `our own database is declared by a word, or by schema and settings`() {
        read("database: embedded") shouldBe Database.Embedded()
        read("database: { schema: sql/person.sql, settings: { shared_buffers: 256MB, fsync: off } }") shouldBe
            Database.Embedded("/home/me/sql/person.sql", mapOf("shared_buffers" to "256MB", "fsync" to "off"))
    }

    @Test
    fun `one in a container has an image, and is set up as one of our own is`() {
        read("database: { image: \"postgres:18\" }") shouldBe Database.Container(image = "postgres:18")
        read("database: { image: \"db.test:5000/team/postgis@sha256:0a\", schema: a.sql, settings: { fsync: off } }") shouldBe
            Database.Container("/home/me/a.sql", "db.test:5000/team/postgis@sha256:0a", mapOf("fsync" to "off"))
        refused("database: { image: \"--privileged\" }").single() shouldBe
            "9:20 database.image: `--privileged` is not the name of an image (write repository:tag, as in postgres:18)"
        refused("database: { image: postgres, url: \"postgresql://db/shop\", user: bench }").single() shouldBe
            "9:20 database.image: has no effect: a server that already runs is not started by us " +
            "(leave out url, user and password-env)"
    }

    @Test
    fun `one that already runs has an address, a user, and the name of the variable with the password`() {
        val server = Database.Server(null, "postgresql://db.example:5433/shop", "bench", "DB_PASSWORD")
        read("database: { url: \"postgresql://db.example:5433/shop\", user: bench, password-env: DB_PASSWORD }") shouldBe server
        read("database: { url: \"jdbc:postgresql://db.example:5433/shop/\", user: bench, password-env: DB_PASSWORD }") shouldBe
            server
        read("database: { url: \"postgresql://[::1]/shop\", user: bench, schema: a.sql }") shouldBe
            Database.Server("/home/me/a.sql", "postgresql://[::1]/shop", "bench")
    }

    @Test
    fun `a password in the address is refused, and not repeated`() {
        val found = refused("database: { url: \"postgresql://bench:hunter2@db/shop\", user: bench }") +
            refused("database: { url: \"postgresql://db/shop?user=bench&password=hunter2\", user: bench }")
        found.map { it.substringBefore(" (") } shouldContainExactly
            listOf("9:18 database.url: has a user in it", "9:18 database.url: has parameters in it")
        found.joinToString() shouldNotContain "hunter2"
    }

    @Test
    fun `all problems are found at once`() {
        refused(
            "database: { url: \"mysql://db/shop\", password-env: hunter2, settings: { fsync: on }, shema: x }",
        ) shouldContainExactly
            listOf(
                "9:11 database.user: `user` is missing",
                "9:18 database.url: is not the address of a PostgreSQL database (write postgresql://host:5432/name)",
                "9:51 database.password-env: is not the name of an environment variable, in capitals " +
                    "(the password itself never stands in a file: write password-env: DB_PASSWORD and export DB_PASSWORD)",
                "9:70 database.settings: has no effect: a server that already runs is not started by us (configure it yourself)",
                "9:85 database.shema: unknown key `shema` (did you mean `schema`?)",
            )
        refused("database: postgres").single() shouldBe "9:11 database: `postgres` is not one of embedded (known: embedded)"
        refused("database: { settings: { port: 5432, Fsync: on } }") shouldContainExactly listOf(
            "9:25 database.settings.port: `port` is set by Boot Dyno",
            "9:37 database.settings.Fsync: `Fsync` is not the name of a setting (shared_buffers: 256MB)",
        )
    }

    @Test
    fun `the resolved experiment is read again as the same one`() {
        listOf(
            "database: embedded",
            "database: { schema: a.sql }",
            "database: { settings: { fsync: off } }",
            "database: { image: \"postgres:18\", schema: a.sql, settings: { fsync: off } }",
            "database: { url: \"postgresql://db/shop\", user: bench, password-env: DB_PASSWORD, schema: a.sql }",
        ).forEach { database ->
            val plan = sound("$SMALL\n$database")
            sound(planText(plan), file = "mine.yaml") shouldBe plan
        }
    }

    @Test
    fun `a flag may choose another server`() {
        val plan = sound("$SMALL\ndatabase: embedded", Overrides(set = listOf("database=embedded")))
        plan.experiment.database shouldBe Database.Embedded()
        problems("$SMALL\ndatabase: { schema: a.sql }", Overrides(set = listOf("database.settings.fsync=off"))).shouldBeEmpty()
        sound(
            "$SMALL\ndatabase: { schema: a.sql }",
            Overrides(set = listOf("database.image=postgres:18")),
        ).experiment.database shouldBe
            Database.Container("/home/me/a.sql", "postgres:18")
    }
}
