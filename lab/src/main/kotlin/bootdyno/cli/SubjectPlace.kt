package bootdyno.cli

import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.RunningSubject
import bootdyno.launch.SubjectLauncher
import bootdyno.launch.docker.ContainerLauncher
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.Images
import bootdyno.launch.docker.findNativeImage
import bootdyno.launch.prepare.Preparation
import bootdyno.launch.prepare.Preparations
import bootdyno.model.Cell
import bootdyno.model.RunPlace
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.Confinement
import java.nio.file.Path

/** What variants are run as lies here while the run lasts; named as what is unfinished, it goes with that. */
private const val PREPARED = ".prepared.part"

/** Where the Dockerfiles of a run stay. */
private const val IMAGES = "images"

/** Makes subjects ready for where they run, and starts them there. */
interface SubjectPlace : AutoCloseable {
    fun preparation(cell: Cell): Preparation

    fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject
}

/** As processes of this machine; what they are run as is made in [folder]. */
class AsProcesses(confinement: Confinement, placement: Placement, ledger: Ledger, folder: Path, say: (String) -> Unit = {}) :
    SubjectPlace {
    private val launcher = SubjectLauncher(confinement, placement, ledger)
    private val preparations = Preparations(folder.resolve(PREPARED), placement, ledger) { findNativeImage(ledger, say) }

    override fun preparation(cell: Cell): Preparation = preparations.of(cell)

    override fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject = launcher.start(cell, log, prepared)

    override fun close() = Unit
}

/** In containers of images that are made in [folder], that of the run. */
class InContainers(
    cli: DockerCli,
    private val place: RunPlace.Docker,
    placement: Placement,
    ledger: Ledger,
    private val folder: Path,
) : SubjectPlace {
    private val launcher = ContainerLauncher(cli, placement, ledger, "${folder.fileName}")
    private val images = Images(cli, place, folder.resolve(PREPARED), folder.resolve(IMAGES), ledger)

    /** Fetches what is missing, and says what images are made of. Throws [bootdyno.launch.LaunchFailed]. */
    fun makeReady(say: (String) -> Unit) {
        images.fetchBase(say)
        say("Subjects run in containers of images built on ${place.baseImage}. The Dockerfiles are in ${folder.resolve(IMAGES)}.")
    }

    override fun preparation(cell: Cell): Preparation = images.of(cell)

    override fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject = launcher.start(cell, log, prepared)

    override fun close() = images.close()
}
