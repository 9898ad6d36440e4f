package bootdyno.cli

import bootdyno.launch.Ledger
import bootdyno.launch.docker.removeDocked
import bootdyno.process.javaCommand
import bootdyno.process.startMark
import bootdyno.process.waitUntil
import kotlin.time.Duration.Companion.seconds

/** Ends and removes what a Boot Dyno left that is gone: what a [bootdyno.process.Watchdog] becomes. Its one argument is the pid of that one. */
fun main(arguments: Array<String>) {
    val owner = arguments.single().toLong()
    // Its files are closed a moment before it is dead.
    waitUntil(10.seconds) { startMark(owner) == null }
    Ledger(stateFolder()) { removeDocked(it) }.cleanUpAfterTheDead()
}

internal fun cleanUpCommand(): List<String> = javaCommand(
    listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"),
    "bootdyno.cli.CleanUpMainKt",
    listOf("${ProcessHandle.current().pid()}"),
)
