package bootdyno.measure

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.RunningSubject
import bootdyno.launch.SubjectLauncher
import bootdyno.launch.docker.ContainerLauncher
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.Images
import bootdyno.launch.docker.fetch
import bootdyno.launch.docker.findNativeImage
import bootdyno.launch.prepare.Preparation
import bootdyno.launch.prepare.Preparations
import bootdyno.model.Cell
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.model.Stage
import bootdyno.store.RunFolder
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.detectConfinement
import java.nio.file.Path

/** Folder of built forms during the run. With the name of an unfinished trial, it is removed like one. */
private const val PREPARED = ".prepared.part"

/** Prepares and starts subjects as processes or in containers, each with its own log. */
class SubjectPlace(
    val preparation: (Cell) -> Preparation,
    val start: (Cell, Path, Prepared) -> RunningSubject,
    private val end: () -> Unit = {},
) : AutoCloseable {
    override fun close() = end()
}

/** The images that [plan] measures as they are. */
fun imagesOf(plan: Plan): List<String> = plan.cells.mapNotNull { (it.subject.origin as? Origin.Image)?.name }.distinct()

/**
 * [place] with the CPUs of [placement]. Forms of jars are built in the run's [folder]. Subjects that are one of [images], which are pulled if
 * missing, run in containers anyway. Throws [LaunchFailed].
 */
internal fun subjectPlace(
    place: RunPlace,
    images: List<String>,
    placement: Placement,
    ledger: Ledger,
    folder: Path,
    say: (String) -> Unit,
): SubjectPlace {
    val others = when (place) {
        RunPlace.Process -> {
            val preparations = Preparations(folder.resolve(PREPARED), placement, ledger) { findNativeImage(ledger, say) }
            SubjectPlace(preparations::of, SubjectLauncher(detectConfinement(ledger), placement, ledger)::start)
        }

        is RunPlace.Docker -> inContainers(docker(), place, placement, ledger, folder, say)
    }
    if (images.isEmpty()) return others
    val cli = docker()
    images.forEach { image -> cli.fetch(image, "the image", say)?.let { throw LaunchFailed(Stage.PREPARE, it) } }
    return others.withImages(ContainerLauncher(cli, placement, ledger, "${folder.fileName}"))
}

/** The same place, but images are started by [launcher]. */
private fun SubjectPlace.withImages(launcher: ContainerLauncher): SubjectPlace {
    fun isImage(cell: Cell) = cell.subject.origin is Origin.Image
    return SubjectPlace(
        { if (isImage(it)) Preparation.Nothing(Prepared(Program.AsDeclared, found = null)) else preparation(it) },
        { cell, log, prepared -> if (isImage(cell)) launcher.start(cell, log, prepared) else start(cell, log, prepared) },
        this::close,
    )
}

/** Pulls the base image if missing, and prints its name. Throws [bootdyno.launch.LaunchFailed]. */
internal fun inContainers(
    cli: DockerCli,
    place: RunPlace.Docker,
    placement: Placement,
    ledger: Ledger,
    folder: Path,
    say: (String) -> Unit,
): SubjectPlace {
    val dockerfiles = folder.resolve(RunFolder.IMAGES)
    val images = Images(cli, place, folder.resolve(PREPARED).toAbsolutePath(), dockerfiles, ledger)
    images.fetchBase(say)
    say("Subjects run in containers of images built on ${place.baseImage}. The Dockerfiles are in $dockerfiles.")
    return SubjectPlace(images::of, ContainerLauncher(cli, placement, ledger, "${folder.fileName}")::start, images::close)
}
