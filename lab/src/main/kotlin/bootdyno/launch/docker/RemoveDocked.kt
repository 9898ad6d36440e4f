package bootdyno.launch.docker

import bootdyno.launch.Docked
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

private const val SOCKET = "unix://"

/** An engine that does not answer must not hold up the end of a run for long. */
private val LONGEST = 30.seconds

/** Removes it by force. True when it is gone, with its engine or without. */
fun removeDocked(docked: Docked, cli: DockerCli? = DockerCli.found()): Boolean {
    // Where the socket is gone the engine is; what ran in it is found by its mark.
    if (docked.host.startsWith(SOCKET) && !Files.exists(Path.of(docked.host.removePrefix(SOCKET)))) return true
    val there = (cli ?: return false).let { if (docked.host.isEmpty()) it else it.at(docked.host) }
    val removed = when (docked) {
        is Docked.Container -> there.ask(listOf("container", "rm", "--force", "--volumes", docked.name), within = LONGEST)
        is Docked.Image -> there.ask(listOf("image", "rm", "--force", docked.name), within = LONGEST)
    }
    return removed.succeeded || "No such" in removed.output
}
