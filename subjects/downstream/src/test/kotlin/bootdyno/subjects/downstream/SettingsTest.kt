package bootdyno.subjects.downstream

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class SettingsTest {
    private fun read(
        vararg arguments: String,
        properties: Map<String, String> = emptyMap(),
        environment: Map<String, String> = emptyMap(),
    ) = Settings.read(arrayOf(*arguments), properties::get, environment::get)

    @Test
    fun `told nothing it waits up to 4 s, 2 s on average, from the same seed each time`() {
        read() shouldBe Settings(8081, Waiting(Distribution.UNIFORM, 2000.0), 1)
    }

    @Test
    fun `an argument beats a system property, and that the environment`() {
        val properties = mapOf("server.port" to "2", "distribution" to "fixed", "seed" to "9")
        val environment = mapOf("PORT" to "3", "SERVER_PORT" to "4")
        read("--port=1", "--seed=7", "--at-once=4", properties = properties, environment = environment) shouldBe
            Settings(1, Waiting(Distribution.FIXED, 2000.0), 7, 4)
        read(properties = properties, environment = environment).port shouldBe 2
        read(environment = environment).port shouldBe 3
        read(environment = environment - "PORT").port shouldBe 4
    }

    @Test
    fun `what it cannot understand is said`() {
        mapOf(
            "--port=70000" to "port is a whole number in 0..65535, not 70000",
            "--mean=soon" to "a mean is a number of milliseconds, not soon",
            "--mean=-1" to "a mean is 0 to 3600000.0 ms, not -1.0",
            "--distribution=normal" to "normal is no distribution",
            "--at-once=0" to "at-once is a whole number in 1..2147483647, not 0",
            "--speed=1" to "--speed=1 is not understood",
            "seed=1" to "seed=1 is not understood",
        ).forEach { (argument, says) ->
            shouldThrow<IllegalArgumentException> { read(argument) }.message shouldContain says
        }
    }
}
