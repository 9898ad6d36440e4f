package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.model.EngineSpec
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

class JMeterOptionsTest {
    private fun read(options: Map<String, String>) = JMeterOptions.of(EngineSpec("jmeter", options = options))

    @Test
    fun `options are read, with spaces where people write them`() {
        val options = read(
            mapOf(
                "heap" to "2g",
                "remotes" to "10.0.0.7:1099, 10.0.0.8",
                "controller" to "10.0.0.1",
                "target" to "10.0.0.2",
                "warm" to "1500 ms",
                "properties.threads" to "10",
                "properties.server.rmi.ssl.disable" to "false",
            ),
        )
        options shouldBe JMeterOptions(
            heap = "2g",
            remotes = listOf("10.0.0.7:1099", "10.0.0.8"),
            controller = "10.0.0.1",
            target = "10.0.0.2",
            warm = 1500.milliseconds,
            properties = mapOf("threads" to "10", "server.rmi.ssl.disable" to "false"),
        )
        read(mapOf("warm" to "0 s")).warm shouldBe Duration.ZERO
    }

    @Test
    fun `all that is wrong is said at once, with what is known`() {
        val wrong = mapOf("heep" to "1g", "heap" to "much", "remotes" to " , ", "warm" to "-1 s", "properties." to "x")
        val said = shouldThrow<EngineFailed> { read(wrong) }.message.shouldNotBeNull()
        listOf(
            "`heep`",
            "`much`",
            "`remotes`",
            "`warm`",
            "`properties.`",
            "heap, remotes, controller, target, warm, properties.*",
        )
            .forEach { said shouldContain it }
    }
}
