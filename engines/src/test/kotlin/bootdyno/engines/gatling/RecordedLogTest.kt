package bootdyno.engines.gatling

import bootdyno.engine.BurstTimingKit
import bootdyno.engine.CLOSED_20_MS
import bootdyno.engine.ClosedTimingKit
import bootdyno.engine.EngineContext
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.OpenTimingKit
import bootdyno.engine.PoissonTimingKit
import bootdyno.engine.RecordedTimes
import bootdyno.engine.UnansweredTimingKit
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path

/** What a real Gatling wrote, with its usual warm-up, read by a drive whose process prints what that one printed. */
class RecordedLogTest :
    RecordedTimes(),
    ClosedTimingKit,
    OpenTimingKit,
    PoissonTimingKit,
    BurstTimingKit,
    UnansweredTimingKit,
    GatlingTraits {
    override val kind: EngineKind get() = GATLING_KIND
    private val options = gatlingOptions(EngineSpec(GATLING_KIND.name))

    override fun record(order: LoadOrder, into: Path): List<Path> {
        val console = into.resolve(CONSOLE)
        val run = GatlingRun(gated = true, LOAD_SCENARIO)
        GatlingInstall.open(GatlingForTests.home, options, folder).use { install ->
            Files.newBufferedWriter(console).use { all ->
                val printed = { line: String -> run.takeLine(line).also { all.appendLine(line) } }
                install.start(context(into), order, into, printed).use { run.follow(it) { _, _ -> } }
            }
        }
        val log = Files.walk(into).use { files -> files.filter { it.endsWith("simulation.log") }.findFirst().orElseThrow() }
        return listOf(console, log)
    }

    override fun read(order: LoadOrder, from: Path): LoadMeasured {
        val run = GatlingRun(gated = true, LOAD_SCENARIO)
        val context = context(from)
        val printing = listOf("cat", "${from.resolve(CONSOLE)}")
        val ended = GeneratorProcess.start(context, printing, from, isLogged = run::takeLine).use { run.follow(it) { _, _ -> } }
        return GatlingOutcome(order, user = null, ended, from, context).measured()
    }

    private fun context(folder: Path) = EngineContext(emptyList(), folder.resolve("engine.log"), folder)

    @Test
    fun `every user is under way as a closed window ends, and both ways of counting agree on the whole run`() {
        val found = measured(CLOSED_20_MS).found
        // By a clock of whole milliseconds a user may be between two requests.
        found.inFlight shouldBeInRange 5L..10L
        found.windowSeconds shouldBe 1.0
        found.printed shouldContain ("failed requests of the whole run" to 0.0)
    }

    private companion object {
        const val CONSOLE = "console.txt"
    }
}
