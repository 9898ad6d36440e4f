package bootdyno.database

import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test

class AccessTest {
    @Test
    fun `an address is read with and without a port`() {
        Access.of("postgresql://db.example:5433/shop", "bench", null).shown shouldBe "db.example:5433/shop"
        Access.of("postgresql://db.example/shop", "bench", null).shown shouldBe "db.example:5432/shop"
        Access.of("postgresql://[::1]/shop", "bench", null).shown shouldBe "[::1]:5432/shop"
        Access.of("postgresql://[::1]:5433/shop", "bench", null).shown shouldBe "[::1]:5433/shop"
    }

    @Test
    fun `applications find it either way, in a schema of our own`() {
        Access.of("postgresql://db:5433/shop", "bench", "hunter2").environment shouldBe mapOf(
            "SPRING_DATASOURCE_URL" to "jdbc:postgresql://db:5433/shop?currentSchema=boot_dyno",
            "SPRING_DATASOURCE_USERNAME" to "bench",
            "SPRING_DATASOURCE_PASSWORD" to "hunter2",
            "SPRING_R2DBC_URL" to "r2dbc:postgresql://db:5433/shop?schema=boot_dyno",
            "SPRING_R2DBC_USERNAME" to "bench",
            "SPRING_R2DBC_PASSWORD" to "hunter2",
        )
    }

    @Test
    fun `the password is not printed, and hidden where it was`() {
        val access = Access.of("postgresql://db:5433/shop", "bench", "hunter2")
        "$access" shouldNotContain "hunter2"
        access.hide("login with hunter2 failed: hunter2") shouldBe "login with (hidden) failed: (hidden)"
        Access.of("postgresql://db:5433/shop", "bench", null).hide("as it is") shouldBe "as it is"
    }
}
