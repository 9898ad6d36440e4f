package bootdyno.faults

import org.opentest4j.TestAbortedException

/** How a fault came out: [happened] in a few words, or the [failure] of what was expected. */
internal class Outcome(val kind: String, val name: String, val happened: String, val seconds: Double, val failure: Throwable?) {
    val verdict: String get() = when (failure) {
        null -> "ok"
        is TestAbortedException -> "skipped"
        else -> "FAILED"
    }
}

/** Faults that share a world and one run; mostly a single one. [bringAbout] tells the outcome of each of [names]. */
internal class Faults(val kind: String, val names: List<String>, val bringAbout: (World, Outcomes) -> Unit)

/** Collects outcomes in the order they become known, and tells each. */
internal class Outcomes(private val kind: String, private val tell: (Outcome) -> Unit) {
    val all = mutableListOf<Outcome>()

    /** Runs [action], which says what happened or throws what is wrong. */
    fun of(name: String, since: Long = System.nanoTime(), action: () -> String) {
        val tried = runCatching(action)
        val seconds = (System.nanoTime() - since) / 1e9
        all += Outcome(kind, name, tried.getOrDefault(""), seconds, tried.exceptionOrNull()).also(tell)
    }
}

/** One fault with a world of its own; [happens] says in a few words what dyno did, or throws what is wrong. */
internal fun fault(kind: String, name: String, happens: (World) -> String) = Faults(kind, listOf(name)) { world, outcomes ->
    outcomes.of(name) { happens(world).also { Leftovers(world).assertNone() } }
}

/** Skips a fault that cannot be brought about here. */
internal fun onlyIf(possible: Boolean, reason: String) {
    if (!possible) throw TestAbortedException(reason)
}

internal val isRoot: Boolean = ProcessBuilder("id", "-u").start().inputReader().readText().trim() == "0"
