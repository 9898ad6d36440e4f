package bootdyno.plan

import bootdyno.model.Database
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class DatabaseReadingTest {
    private fun read(database: String) = readTwice("$SMALL\n$database").experiment.database

    @Test
    fun `an experiment without one has none`() {
        sound(SMALL).experiment.database shouldBe null
    }

    @Test
    fun `our own database is declared by a word, or by schema and settings`() {
        read("database: embedded") shouldBe Database.Embedded()
        read("database: { schema: a.sql }") shouldBe Database.Embedded("/home/me/a.sql")
        read("database: { settings: { fsync: off } }") shouldBe Database.Embedded(settings = mapOf("fsync" to "off"))
        read("database: { schema: sql/person.sql, settings: { shared_buffers: 256MB, fsync: off } }") shouldBe
            Database.Embedded("/home/me/sql/person.sql", mapOf("shared_buffers" to "256MB", "fsync" to "off"))
    }

    @Test
    fun `one in a container has an image, and is set up as one of our own is`() {
        read("database: { image: \"postgres:18\" }") shouldBe Database.Container(image = "postgres:18")
        read("database: { image: \"db.test:5000/team/postgis@sha256:0a\", schema: a.sql, settings: { fsync: off } }") shouldBe
            Database.Container("/home/me/a.sql", "db.test:5000/team/postgis@sha256:0a", mapOf("fsync" to "off"))
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
    fun `a flag may choose another server`() {
        val plan = sound("$SMALL\ndatabase: embedded", Overrides(set = listOf("database=embedded")))
        plan.experiment.database shouldBe Database.Embedded()
        problems("$SMALL\ndatabase: { schema: a.sql }", Overrides(set = listOf("database.settings.fsync=off"))).shouldBeEmpty()
        sound(
            "$SMALL\ndatabase: { schema: a.sql }",
            Overrides(set = listOf("database.image=postgres:18")),
        ).experiment.database shouldBe Database.Container("/home/me/a.sql", "postgres:18")
    }
}
