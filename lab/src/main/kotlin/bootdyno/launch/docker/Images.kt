package bootdyno.launch.docker

import bootdyno.launch.Fingerprints
import bootdyno.launch.LaunchFailed
import bootdyno.launch.orLaunchFailed
import bootdyno.launch.prepare.Preparation
import bootdyno.model.Cell
import bootdyno.model.Origin
import bootdyno.model.RunPlace
import bootdyno.model.Stage
import bootdyno.system.ledger.DockerResource
import bootdyno.system.ledger.Ledger
import java.nio.file.Files
import java.nio.file.Path

/**
 * Builds images of jars in [folder], which the caller removes; their Dockerfiles stay in [kept]. Closing it removes the images. Owned by one
 * thread.
 */
class Images(
    internal val cli: DockerCli,
    internal val place: RunPlace.Docker,
    internal val folder: Path,
    internal val kept: Path,
    internal val ledger: Ledger,
) : AutoCloseable {
    internal val fingerprints = Fingerprints()
    private val built = mutableMapOf<String, BuiltImage>()
    private val begun = mutableSetOf<String>()

    /** The preparation of [cell]. Throws [LaunchFailed] for known problems. */
    fun of(cell: Cell): Preparation {
        val jar = (cell.subject.origin as? Origin.Jar)?.let { Path.of(it.path) }?.takeIf(Files::isReadable)
            ?: throw LaunchFailed(Stage.PREPARE, "There is no readable jar of ${cell.subject.name} to put into an image.")
        check(cell.variant.runtime.inImages) { "the plan lets no ${cell.variant.runtime} into an image" }
        return ImagePreparation(cell, jar, this)
    }

    /** Pulls the base image if missing; [say] is told. Throws [LaunchFailed]. */
    fun fetchBase(say: (String) -> Unit) {
        val whyNot = cli.fetch(place.baseImage, "the base image", say) ?: return
        throw LaunchFailed(Stage.PREPARE, "$whyNot Use a local image with --base-image; `docker images` lists them.")
    }

    internal fun built(id: String, build: () -> BuiltImage): BuiltImage = built.getOrPut(id, build)

    /** Called before the build, because an interrupt may follow it. */
    internal fun remember(reference: String) {
        orLaunchFailed(Stage.PREPARE, "The image could not be made") { ledger.add(resource(reference)) }
        begun += reference
    }

    override fun close() = begun.forEach { reference ->
        if (removeDockerResource(resource(reference), cli)) ledger.forget(resource(reference))
    }

    private fun resource(reference: String) = DockerResource(DockerResource.Kind.IMAGE, reference, cli.host)
}
