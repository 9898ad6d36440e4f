package bootdyno.faults

import java.nio.file.Files
import java.nio.file.Path
import java.util.Locale
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.Future

/** Brings [faults] about, several at once, each in a world of its own. */
internal class Campaign(faults: List<Faults>, workers: Int) : AutoCloseable {
    private val began = System.nanoTime()
    private val pool = Executors.newFixedThreadPool(workers)
    private val outcomes: Map<Faults, Future<List<Outcome>>> =
        faults.associateWith { pool.submit(Callable { bringAbout(it) }) }

    /** Waits for it. */
    fun outcome(faults: Faults, name: String): Outcome = outcomes.getValue(faults).get().find { it.name == name }
        ?: Outcome(faults.kind, name, "", 0.0, AssertionError("it was not brought about"))

    fun table(): String {
        val all = outcomes.flatMap { (faults, _) -> faults.names.map { outcome(faults, it) } }
        val width = all.maxOf { it.name.length }
        val lines = all.groupBy { it.kind }.flatMap { (kind, ofKind) ->
            listOf("", kind) + ofKind.map { line(it, width) }
        }
        val verdicts = all.groupingBy { it.verdict }.eachCount().entries.joinToString { "${it.value} ${it.key}" }
        val total = (System.nanoTime() - began) / 1e9
        return (lines + "" + "%d faults in %.0f s: %s".format(Locale.ROOT, all.size, total, verdicts)).joinToString("\n")
    }

    private fun line(outcome: Outcome, width: Int): String {
        val said = (outcome.failure?.let { it.message ?: "$it" } ?: outcome.happened).lineSequence().first().take(LONGEST)
        return "  %-7s %6.1f s  %-${width}s  %s".format(Locale.ROOT, outcome.verdict, outcome.seconds, outcome.name, said)
    }

    override fun close() {
        pool.shutdownNow()
    }

    private fun bringAbout(faults: Faults): List<Outcome> {
        val root = Files.createTempDirectory(Path.of("/tmp"), "faults-")
        val world = World(root)
        val outcomes = Outcomes(faults.kind)
        try {
            faults.bringAbout(world, outcomes)
        } catch (broken: Exception) {
            val missing = faults.names - outcomes.all.map { it.name }.toSet()
            missing.forEach { name -> outcomes.of(name) { throw broken } }
        } finally {
            world.endAll()
            removeWorld(root)
        }
        outcomes.all.forEach { println(line(it, width = it.name.length)) }
        return outcomes.all
    }

    private companion object {
        const val LONGEST = 110
    }
}
