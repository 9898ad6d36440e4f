package bootdyno.system.ledger

import bootdyno.system.limits.Share
import bootdyno.system.limits.cgroupMountsHere
import bootdyno.system.limits.cgroupV1
import java.nio.file.Path

/**
 * A Boot Dyno to be killed: enters a child and, where it can, a group with that child inside into a ledger, and waits. It outlives nobody
 * who started it: with the end of its input it removes all of that.
 */
fun main(arguments: Array<String>) {
    val ledger = Ledger(Path.of(arguments[0]))
    val confinement = cgroupV1(cgroupMountsHere().v1, ledger)
    val enclosure = if (confinement.whyNot() == null) {
        confinement.enclose("dyno-${ProcessHandle.current().pid()}-1", Share(null, null, favoured = false))
    } else {
        null
    }
    val command = listOf("sleep", "600")
    val sleeper = ProcessBuilder(enclosure?.wrap(command) ?: command).start()
    ledger.child(sleeper.pid(), "a sleeper")
    println("${sleeper.pid()} ${enclosure?.folders?.first() ?: "-"}")
    generateSequence { readlnOrNull() }.forEach { _ -> }
    sleeper.destroyForcibly().waitFor()
    enclosure?.remove()
}
