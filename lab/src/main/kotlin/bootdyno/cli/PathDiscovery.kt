package bootdyno.cli

import bootdyno.diagnose.effectiveSettings
import bootdyno.diagnose.observable
import bootdyno.launch.LaunchFailed
import bootdyno.launch.NO_LIMITS
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.Remedy
import bootdyno.launch.firstText
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.measure.interruptible
import bootdyno.measure.madeTemporaryFolder
import bootdyno.measure.messageOf
import bootdyno.measure.withRunParts
import bootdyno.model.Cell
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.model.Trial
import bootdyno.run.RunEvent
import bootdyno.schedule.Timing
import bootdyno.system.deleteTree

private val MAPPINGS = mapOf("management.endpoints.web.exposure.include" to "health,mappings")

/** An application did not start. [remedy]: null if unknown. */
internal class NotStarted(failure: LaunchFailed) :
    InputProblem(listOfNotNull(messageOf(failure), withheld()).joinToString("\n")) {
    val remedy: Remedy? =
        generateSequence<Throwable>(failure) { it.cause }.filterIsInstance<LaunchFailed>().firstNotNullOfOrNull { it.remedy }
}

/** Starts an application once, without limits and before any measurement, to find the paths that it serves. */
internal class PathDiscovery(private val mayLoad: List<String>, private val say: (String) -> Unit) {
    /**
     * The requests of the application of [plan], see [requestsOf].
     *
     * @throws NotStarted if it does not start
     * @throws InputProblem if no path is found
     */
    fun paths(plan: Plan): Map<String, Int> {
        refuseBeforeStart(plan, mayLoad)
        if (plan.cells.first().subject.origin !is Origin.Url) say("The application is started once, to find its paths.")
        val requests = asInput { discovered(plan.copy(experiment = plan.experiment.copy(place = RunPlace.Process))) }
        say("Requests: ${requests.keys.joinToString { "GET $it" }}. --path names others.")
        return requests
    }

    private fun discovered(plan: Plan): Map<String, Int> {
        val waiting = WaitingLines()
        val folder = madeTemporaryFolder("paths")
        val log = folder.resolve("subject.log")
        return try {
            interruptible({ say("Interrupted. Nothing was measured.") }) {
                withRunParts(NO_LIMITS, plan, { folder }, say) { parts ->
                    parts.checkDependencies()
                    val cell = discoverable(plan.cells.first())
                    parts.start(cell, Prepared(Program.AsDeclared, found = null), log).use { subject ->
                        subject.awaitReady(cell.subject.readyPath, cell.subject.readyWithin ?: Timing.READY_WITHIN) { awaited ->
                            waiting.line(RunEvent.Waiting(Trial(1, 1, cell.id), "the application", awaited))?.let(say)
                        }
                        if (subject.hasOwnPort) say("It listens on ${subject.base.port}, not on the port it was given.")
                        // What the jar's own files and profiles say; of another application only what was given to it is known.
                        val jvm = subject.pid.takeIf { cell.subject.origin is Origin.Jar }
                        val settings = cell.variant.settings + jvm?.let { effectiveSettings(it, SETTINGS_OF_PATHS) }.orEmpty()
                        val logged = CONTEXT_PATH.find(firstText(log))?.groupValues?.get(1)
                        requestsOf(FoundApplication(subject.base, settings, logged, subject::deathReport), say)
                    }
                }
            }
        } catch (failure: LaunchFailed) {
            throw NotStarted(failure)
        } finally {
            deleteTree(folder)
        }
    }

    /** Without limits, and a jar with its settings and the endpoint that lists its mappings, unless it says otherwise. */
    private fun discoverable(cell: Cell): Cell {
        val declared = cell.variant
        val isJar = cell.subject.origin is Origin.Jar
        val variant = if (isJar) observable(declared.copy(settings = MAPPINGS + declared.settings)) else declared
        return cell.copy(limits = NO_LIMITS, variant = variant)
    }
}

/** As Spring Boot logs it: `Tomcat started on port 8080 (http) with context path '/shop'`; the root is `/`, or nothing. */
private val CONTEXT_PATH = Regex("""with context path '(/[^']+)'""")
