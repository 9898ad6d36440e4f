package bootdyno.cli

import bootdyno.launch.docker.removeDockerResource
import bootdyno.system.javaCommand
import bootdyno.system.ledger.Ledger
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

/**
 * Ends and removes what a Boot Dyno left that is gone: what a [bootdyno.system.Watchdog] becomes. Its arguments are the pid of that one
 * and its state folder.
 */
fun main(arguments: Array<String>) {
    val (pid, folder) = arguments
    val owner = pid.toLong()
    // Its files are closed a moment before it is dead.
    waitUntil(10.seconds) { startMark(owner) == null }
    Ledger(Path.of(folder)) { removeDockerResource(it) }.cleanUpAfterTheDead()
}

internal fun cleanUpCommand(): List<String> = javaCommand(
    listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"),
    "bootdyno.cli.CleanUpMainKt",
    // The environment that names the folder does not reach it.
    listOf("${ProcessHandle.current().pid()}", "${stateFolder().toAbsolutePath()}"),
)
