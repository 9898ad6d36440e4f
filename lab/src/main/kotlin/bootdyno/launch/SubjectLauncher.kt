package bootdyno.launch

import bootdyno.model.Cell
import bootdyno.model.Origin
import bootdyno.model.Stage
import bootdyno.model.redactCommandLine
import bootdyno.system.ChildOutput
import bootdyno.system.findOnPath
import bootdyno.system.ledger.Ledger
import bootdyno.system.ledger.newName
import bootdyno.system.limits.Confinement
import bootdyno.system.limits.Enclosure
import bootdyno.system.newMark
import bootdyno.system.onFailure
import bootdyno.system.pinned
import bootdyno.system.socket.freePort
import bootdyno.system.startChild
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** Starts subjects with their limits. [grace]: time limit for a normal exit before it is killed. */
class SubjectLauncher(
    private val confinement: Confinement,
    private val placement: Placement,
    private val ledger: Ledger,
    private val grace: Duration = 5.seconds,
) {
    private val fingerprints = Fingerprints()

    /** Starts the subject of [cell], as [prepared], as a new process on a free port; its output goes to [log]. Throws [LaunchFailed]. */
    fun start(cell: Cell, log: Path, prepared: Prepared = AS_DECLARED): RunningSubject = start(cell.launchable(), log, prepared)

    internal fun start(what: Launchable, log: Path, prepared: Prepared = AS_DECLARED): RunningSubject =
        when (val origin = what.subject.origin) {
            is Origin.Url -> ReachedSubject(URI.create(origin.base), placement.engine, what.subject, what.firstPath)
            is Origin.Jar -> startJar(what, origin, prepared.program, log)
            is Origin.Command -> startCommand(what, origin, log)
            is Origin.Image -> error("an image is started by a container engine: ${origin.name}")
        }

    /** In every form, the subject is identified by its jar. */
    private fun startJar(what: Launchable, origin: Origin.Jar, program: Program, log: Path): RunningSubject {
        val jar = Path.of(origin.path)
        if (!Files.isReadable(jar)) throw LaunchFailed(Stage.LAUNCH, "There is no readable jar at $jar.")
        val port = freePort()
        val heap = heapFrom(confinement, what.limits)
        val command = when (program) {
            is Program.AsDeclared -> jarCommand(what, Program.Jar(jar, emptyList()), javaRuntime(what.variant.java), port, heap)
            is Program.Jar -> jarCommand(what, program, javaRuntime(what.variant.java), port, heap)
            is Program.Executable -> executableCommand(what, program, port, heap)
            is Program.Image -> error("an image is started by a container engine: ${program.reference}")
        }
        return launch(what, command, jar, port, log)
    }

    private fun startCommand(what: Launchable, origin: Origin.Command, log: Path): RunningSubject {
        val port = freePort()
        val command = plainCommand(what, origin, port, heapFrom(confinement, what.limits))
        val name =
            command.words.firstOrNull() ?: throw LaunchFailed(Stage.LAUNCH, "The command of ${what.subject.name} is empty.")
        val executable = findOnPath(name) ?: throw LaunchFailed(Stage.LAUNCH, "There is no command '$name' on the path.")
        if ('/' !in name) return launch(what, command, null, port, log)
        val file = executable.toAbsolutePath().normalize()
        return launch(what, command.copy(words = listOf("$file") + command.words.drop(1)), file, port, log)
    }

    private fun launch(what: Launchable, command: SubjectCommand, file: Path?, port: Int, log: Path): RunningSubject {
        val launched = Launched(
            base = baseOf(what, port),
            words = redactCommandLine(command.words),
            sha256 = file?.let(fingerprints::sha256),
            log = log,
            subject = what.subject,
            firstPath = what.firstPath,
        )
        val folder = orFailed("No folder could be made for ${what.subject.name}") { ledger.temporaryFolder("subject") }
        return onFailure({ ledger.removeTemporary(folder) }) {
            val wanted = AppliedLimits(confinement.mechanism, confinement.memoryByHeap, what.limits, placement, command.notes)
            val room = orFailed("The limits could not be set (${wanted.mechanism})") {
                confinement.enclose(newName(), wanted.share)
            }
            val applied = wanted.copy(notes = wanted.notes + room.notes)
            onFailure({ room.remove() }) {
                val child = orFailed("${what.subject.name} could not be started") {
                    start(what, command, applied.cpus, room, log, folder)
                }
                StartedSubject(launched, child, applied, room, ledger, grace)
            }
        }
    }

    private fun start(
        what: Launchable,
        command: SubjectCommand,
        cpus: List<Int>,
        enclosure: Enclosure,
        log: Path,
        folder: Path,
    ): StartedChild {
        val hidden = if (command.readsArgumentFile) {
            command.copy(words = secretsInFile(command.words, folder))
        } else {
            secretsInEnvironment(command)
        }
        val words = enclosure.wrap(pinned(hidden.words, cpus))
        // Spring Boot reads application.yml and config/ of the folder that it is started in: an empty one.
        val directory = what.variant.workingDirectory?.let { Path.of(it) } ?: Files.createDirectory(folder.resolve("work"))
        val mark = newMark()
        val exec = TimeSource.Monotonic.markNow()
        val child = startChild(words, hidden.environment, enclosure.inherits, directory, mark = mark)
        ledger.child(child.pid(), what.inLedger)
        // A scope is made by the child itself: look for it now, while there is a child to look at.
        enclosure.group(child.pid())
        return StartedChild(what.who, child, mark, exec, ChildOutput.start(log, child.inputStream), folder)
    }

    private fun <T> orFailed(what: String, action: () -> T): T = orLaunchFailed(Stage.LAUNCH, what, action)
}

private val AS_DECLARED = Prepared(Program.AsDeclared, found = null)
