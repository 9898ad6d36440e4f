package bootdyno.launch.docker

import bootdyno.launch.Docked
import java.nio.file.Files
import java.nio.file.Path

private const val SOCKET = "unix://"

/** Removes it by force. True when it is gone, with its engine or without. */
fun removeDocked(docked: Docked, cli: DockerCli? = DockerCli.found()): Boolean {
    // Where the socket is gone the engine is, and what ran in it has ended with it.
    if (docked.host.startsWith(SOCKET) && !Files.exists(Path.of(docked.host.removePrefix(SOCKET)))) return true
    val there = (cli ?: return false).let { if (docked.host.isEmpty()) it else it.at(docked.host) }
    val removed = when (docked) {
        is Docked.Container -> there.ask("container", "rm", "--force", "--volumes", docked.name)
        is Docked.Image -> there.ask("image", "rm", "--force", docked.name)
    }
    return removed.succeeded || "No such" in removed.output
}
