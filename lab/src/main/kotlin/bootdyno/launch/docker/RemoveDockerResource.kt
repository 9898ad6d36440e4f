package bootdyno.launch.docker

import bootdyno.system.ledger.DockerResource
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.seconds

private const val SOCKET = "unix://"

/** An engine that does not answer must not hold up the end of a run for long. */
private val LONGEST = 30.seconds

/** Removes it by force. True when it is gone, with its engine or without. */
fun removeDockerResource(resource: DockerResource, cli: DockerCli? = DockerCli.found()): Boolean {
    // Where the socket is gone the engine is; what ran in it is found by its mark.
    if (resource.host.startsWith(SOCKET) && !Files.exists(Path.of(resource.host.removePrefix(SOCKET)))) return true
    val there = (cli ?: return false).let { if (resource.host.isEmpty()) it else it.at(resource.host) }
    val volumes = listOf("--volumes").takeIf { resource.kind == DockerResource.Kind.CONTAINER }.orEmpty()
    val removed = there.ask(listOf(resource.kind.word, "rm", "--force") + volumes + resource.name, within = LONGEST)
    return removed.succeeded || "No such" in removed.output
}
