package bootdyno.cli

import bootdyno.diagnose.effectiveSettings
import bootdyno.diagnose.observable
import bootdyno.imports.linkedPaths
import bootdyno.imports.mappedPaths
import bootdyno.imports.openApiPaths
import bootdyno.imports.redirectedPath
import bootdyno.launch.FetchedText
import bootdyno.launch.LaunchFailed
import bootdyno.launch.PASSWORD_FIELD
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.errorIn
import bootdyno.launch.fetchText
import bootdyno.launch.firstText
import bootdyno.measure.EngineLogs
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.measure.interruptible
import bootdyno.measure.messageOf
import bootdyno.measure.withRunParts
import bootdyno.model.Cell
import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.schedule.Timing
import bootdyno.system.deleteTree
import java.net.URI
import java.nio.file.Files

/** An application did not start. [remedy]: the line of an experiment file that may help; null if unknown. */
internal class NotStarted(failure: LaunchFailed) : InputProblem(messageOf(failure).orEmpty()) {
    val remedy: String? =
        generateSequence<Throwable>(failure) { it.cause }.filterIsInstance<LaunchFailed>().firstNotNullOfOrNull { it.remedy }
}

/** A started application. [context]: its context path, as it logs it. [settings]: those of [API_DOCS] and [ACTUATOR] among others. */
private class Found(private val base: URI, val context: String, private val settings: Map<String, String>) {
    val openApi: String get() = pathOf(API_DOCS, "/v3/api-docs")
    val mappings: String get() = pathOf(ACTUATOR, "/actuator") + "/mappings"

    private fun pathOf(key: String, default: String) = context + "/${settings[key] ?: default}".replace("//", "/").trimEnd('/')

    /** [path] begins with the context path. */
    fun get(path: String): FetchedText? = fetchText(base, path)
}

/** The settings of springdoc and of Spring Boot's actuator for the paths of what they serve. */
private const val API_DOCS = "springdoc.api-docs.path"
private const val ACTUATOR = "management.endpoints.web.base-path"

/** Starts an application once, without limits and before any measurement, to find the paths that it serves. */
internal class PathDiscovery(private val mayLoad: List<String>, private val say: (String) -> Unit) {
    /**
     * Up to [MOST_PATHS] paths of the application of [plan] that answer a `GET` with a status from 200 to 299: of its OpenAPI document, otherwise
     * of its mappings, otherwise its first page, also where `/` redirects to it, and those that it links to.
     *
     * @throws NotStarted if it does not start
     * @throws InputProblem if no path answers like that
     */
    fun paths(plan: Plan): List<String> {
        refuseBeforeStart(plan, mayLoad)
        val paths = asInput { pathsOfStarted(plan) }
        say("Requests: ${paths.joinToString { "GET $it" }}. --path names others.")
        return paths
    }

    private fun pathsOfStarted(plan: Plan): List<String> {
        val folder = Files.createTempDirectory("boot-dyno-paths-")
        val log = folder.resolve("subject.log")
        val alone = plan.copy(experiment = plan.experiment.copy(place = RunPlace.Process))
        return try {
            interruptible {
                withRunParts(NO_LIMITS, alone, { EngineLogs(folder) }, say) { parts ->
                    parts.checkDependencies()
                    val cell = discoverable(alone.cells.first())
                    parts.start(cell, Prepared(Program.AsDeclared, found = null), log).use { subject ->
                        subject.awaitReady(cell.subject.readyPath, cell.subject.readyWithin ?: Timing.READY_WITHIN)
                        val context = CONTEXT_PATH.find(firstText(log))?.groupValues?.get(1).orEmpty()
                        // What the jar's own files and profiles say; of another application only what was given to it is known.
                        val jvm = subject.pid.takeIf { cell.subject.origin is Origin.Jar }
                        val effective = jvm?.let { effectiveSettings(it, listOf(API_DOCS, ACTUATOR)) }.orEmpty()
                        pathsOf(Found(subject.base, context, cell.variant.settings + effective))
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
        val own = cell.variant
        val variant = if (cell.subject.origin is Origin.Jar) observable(own.copy(settings = MAPPINGS + own.settings)) else own
        return cell.copy(limits = NO_LIMITS, variant = variant)
    }

    private fun pathsOf(found: Found): List<String> {
        val root = "${found.context}/"
        val answer = found.get(root)
        val home = answer?.location?.let { redirectedPath(root, it) } ?: root
        val first = if (home == root) answer else found.get(home)
        val candidates = listOf<() -> List<String>?>(
            { found.get(found.openApi)?.let { openApiPaths(it.text) } },
            { found.get(found.mappings)?.let { list -> mappedPaths(list.text).map { found.context + it } } },
            { (listOf(home) + linkedPaths(first?.text.orEmpty())).distinct() },
        )
        return candidates.firstNotNullOfOrNull { list ->
            list().orEmpty().take(MOST_ASKED).filter { isWorthMeasuring(found.get(it)) }.take(MOST_PATHS).ifEmpty { null }
        } ?: throw InputProblem(
            "No path was found that answers a GET with a status from 200 to 299 and is no login page; GET $home answered " +
                "${first?.status ?: "nothing"}.\nName what to request: --path /orders" + if (first.wantsLogin) LOGIN else "",
        )
    }

    /** Whether [this] refuses strangers, or sends them elsewhere. */
    private val FetchedText?.wantsLogin: Boolean
        get() = this != null && (status in WITHOUT_LOGIN || PASSWORD_FIELD.containsMatchIn(text))

    private companion object {
        val WITHOUT_LOGIN = listOf(301, 302, 303, 307, 308, 401, 403)
        const val LOGIN = "\nIf it wants a login, write an experiment file with `login` (docs/experiment.md#sessions)."
        const val MOST_PATHS = 5
        const val MOST_ASKED = 20
        val NO_LIMITS = Limits(cpus = null, memory = null, cpuBy = CpuBy.PINNING)
        val MAPPINGS = mapOf("management.endpoints.web.exposure.include" to "health,mappings")
    }
}

/** A successful answer that is no login page and no error. */
private fun isWorthMeasuring(answer: FetchedText?): Boolean = answer != null && answer.status in 200..299 &&
    !PASSWORD_FIELD.containsMatchIn(answer.text) && errorIn(answer.text) == null

/** As Spring Boot logs it: `Tomcat started on port 8080 (http) with context path '/shop'`; the root is `/`, or nothing. */
private val CONTEXT_PATH = Regex("""with context path '(/[^']+)'""")
