package bootdyno.measure

import bootdyno.launch.docker.removeDockerResource
import bootdyno.system.javaCommand
import bootdyno.system.ledger.Ledger
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

/**
 * Cleans up after a Boot Dyno process that has ended; a [bootdyno.system.Watchdog] becomes this program. Arguments: the pid of that process,
 * and its state folder.
 */
fun main(arguments: Array<String>) {
    val (pid, folder) = arguments
    val owner = pid.toLong()
    // Its files are closed shortly before it has ended.
    waitUntil(10.seconds) { startMark(owner) == null }
    Ledger(Path.of(folder)) { removeDockerResource(it) }.cleanUpAfterTheDead()
}

internal fun cleanUpCommand(): List<String> = javaCommand(
    listOf("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"),
    "bootdyno.measure.CleanUpMainKt",
    // The environment variable of the folder is not passed on.
    listOf("${ProcessHandle.current().pid()}", "${stateFolder().toAbsolutePath()}"),
)
