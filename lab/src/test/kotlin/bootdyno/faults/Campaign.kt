package bootdyno.faults

import java.nio.file.Files
import java.nio.file.Path
import java.util.Locale
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit

/** Brings [faults] about, several at once, each in a world of its own. */
internal class Campaign(faults: List<Faults>, workers: Int) : AutoCloseable {
    private val began = System.nanoTime()
    private val pool = Executors.newFixedThreadPool(workers)

    /** By name; each is there as soon as it is known, so that a test waits for its own fault and not for the whole run that it is part of. */
    private val outcomes = faults.associateWith { of -> of.names.associateWith { CompletableFuture<Outcome>() } }

    private val running = faults.map { pool.submit { bringAboutOrFail(it) } }

    /** Waits for it. */
    fun outcome(faults: Faults, name: String): Outcome = outcomes.getValue(faults).getValue(name).get()

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

    /** Waits for those who tidy up, and throws what went wrong with that. */
    override fun close() = try {
        running.forEach { it.get(LONGEST_TIDYING_SECONDS, TimeUnit.SECONDS) }
    } finally {
        pool.shutdownNow()
    }

    private fun bringAboutOrFail(faults: Faults) = try {
        bringAbout(faults)
    } catch (broken: Throwable) {
        outcomes.getValue(faults).values.forEach { it.completeExceptionally(broken) }
        throw broken
    }

    private fun bringAbout(faults: Faults) {
        val root = Files.createTempDirectory(Path.of("/tmp"), "faults-")
        val world = World(root)
        val waiting = outcomes.getValue(faults)
        val outcomes = Outcomes(faults.kind) {
            println(line(it, width = it.name.length))
            waiting[it.name]?.complete(it)
        }
        try {
            faults.bringAbout(world, outcomes)
            outcomes.missing(faults) { AssertionError("it was not brought about") }
        } catch (broken: Throwable) {
            outcomes.missing(faults) { broken }
        } finally {
            world.endAll()
            removeWorld(root)
        }
    }

    private fun Outcomes.missing(faults: Faults, why: () -> Throwable) =
        (faults.names - all.map { it.name }.toSet()).forEach { name -> of(name) { throw why() } }

    private companion object {
        const val LONGEST = 110
        const val LONGEST_TIDYING_SECONDS = 60L
    }
}
