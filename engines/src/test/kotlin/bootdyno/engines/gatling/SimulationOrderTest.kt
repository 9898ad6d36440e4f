package bootdyno.engines.gatling

import bootdyno.engine.order
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class SimulationOrderTest {
    @TempDir
    lateinit var folder: Path

    private val first = 7.seconds

    @Test
    fun `nothing is sent in the last millisecond of the window, in which the log may already have its end`() {
        val file = folder.resolve("order.json")
        val order = order(1, LoadProfile.Closed(1), window = 500.milliseconds, settle = 200.milliseconds)
        SimulationOrder.write(order, gatlingOptions(EngineSpec(GATLING_KIND.name)), file)
        val simulation = SimulationOrder.read(file)
        listOf(0.microseconds, 698_999.microseconds, 699_000.microseconds, 700_000.microseconds).map {
            simulation.isOver((first + it).inWholeNanoseconds)
        } shouldBe listOf(false, false, true, true)
    }
}
