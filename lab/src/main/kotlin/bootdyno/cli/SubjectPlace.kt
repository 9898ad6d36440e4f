package bootdyno.cli

import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.RunningSubject
import bootdyno.launch.SubjectLauncher
import bootdyno.launch.docker.ContainerLauncher
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.Images
import bootdyno.launch.docker.findNativeImage
import bootdyno.launch.docker.whyNoDocker
import bootdyno.launch.prepare.Preparation
import bootdyno.launch.prepare.Preparations
import bootdyno.model.Cell
import bootdyno.model.RunPlace
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.detectConfinement
import java.nio.file.Path

/** Folder of built forms during the run. With the name of an unfinished trial, it is removed like one. */
private const val PREPARED = ".prepared.part"

/** Folder of a run's Dockerfiles. */
private const val IMAGES = "images"

/** Prepares and starts subjects as processes or in containers, each with its own log. */
class SubjectPlace(
    val preparation: (Cell) -> Preparation,
    val start: (Cell, Path, Prepared) -> RunningSubject,
    private val end: () -> Unit = {},
) : AutoCloseable {
    override fun close() = end()
}

/** [place] with the CPUs of [placement]. Forms of jars are built in the run's [folder]. */
internal fun subjectPlace(
    place: RunPlace,
    placement: Placement,
    ledger: Ledger,
    folder: Path,
    say: (String) -> Unit,
): SubjectPlace = when (place) {
    RunPlace.Process -> {
        val preparations = Preparations(folder.resolve(PREPARED), placement, ledger) { findNativeImage(ledger, say) }
        SubjectPlace(preparations::of, SubjectLauncher(detectConfinement(ledger), placement, ledger)::start)
    }

    is RunPlace.Docker -> {
        val cli = DockerCli.found() ?: throw InputProblem(whyNoDocker().orEmpty())
        inContainers(cli, place, placement, ledger, folder, say)
    }
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
    val images = Images(cli, place, folder.resolve(PREPARED).toAbsolutePath(), folder.resolve(IMAGES), ledger)
    images.fetchBase(say)
    say("Subjects run in containers of images built on ${place.baseImage}. The Dockerfiles are in ${folder.resolve(IMAGES)}.")
    return SubjectPlace(images::of, ContainerLauncher(cli, placement, ledger, "${folder.fileName}")::start, images::close)
}
