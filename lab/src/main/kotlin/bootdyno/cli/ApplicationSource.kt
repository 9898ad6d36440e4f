package bootdyno.cli

import bootdyno.compose.composeFileIn
import bootdyno.flags.JarQuestion
import bootdyno.flags.PLATFORM_OR_VIRTUAL
import bootdyno.flags.RequestFlag
import bootdyno.flags.VIRTUAL_THREADS
import bootdyno.flags.experimentOfJar
import bootdyno.launch.OVER_TLS
import bootdyno.launch.javaVersion
import bootdyno.launch.prepare.whyNoVirtualThreads
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.measure.engines
import bootdyno.measure.jarSubject
import bootdyno.measure.madeStateFolder
import bootdyno.measure.orRefused
import bootdyno.model.Compose
import bootdyno.model.Expectation
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Subject
import bootdyno.model.shellPath
import bootdyno.plan.Machine
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.yaml.Read
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.name

/** Finds the paths to request of the application of a plan, at least one, with the status that each answers. */
internal typealias PathFinder = (Plan) -> Map<String, Int>

/**
 * Makes the experiment of an application that is named by its jar or by flags. [find] finds the paths to request if no flag names one; null:
 * nothing may be started. [machine]: the one that measures; null if others do.
 */
internal class ApplicationSource(
    private val options: PlanOptions,
    private val application: ApplicationOptions,
    private val overrides: Overrides,
    private val say: (String) -> Unit,
    private val find: PathFinder?,
    private val machine: Machine? = machine(),
) {
    /** @throws InputProblem */
    fun read(jar: String?): Read<Plan> {
        val subject = subject(jar)
        val imported = imported()
        return experimentOfJar(question(subject, varied(jarOf(subject)), imported), surroundings(imported), overrides)
    }

    /**
     * The question of the flags about [subject], which is started once if none of them names a request. [vary]: what is compared.
     * @throws InputProblem
     */
    fun question(subject: Subject, vary: List<String> = emptyList(), imported: ImportedRequests? = null): JarQuestion {
        val jar = jarOf(subject)
        jar?.takeIf { application.startsIn == null }?.let(::noteSettings)
        val question = application.question(subject, vary, compose(jar), imported?.workload)
        if (imported != null || question.paths.isNotEmpty() || question.requests.isNotEmpty()) return question
        val root = question.copy(paths = listOf("/"))
        if (find == null) {
            say("Planned for GET / only: $COMMAND run starts the application once to find more paths.")
            return root
        }
        return try {
            found(root, find)
        } catch (failure: NotStarted) {
            if (failure.remedy != OVER_TLS) throw failure
            say("The application listens with TLS, and is measured over HTTPS, as with --https.")
            found(root.copy(subject = root.subject.copy(https = true)), find)
        }
    }

    private fun found(question: JarQuestion, find: PathFinder): JarQuestion {
        options.writeExperiment?.let(::refuseExisting)
        val statuses = find(experimentOfJar(question, surroundings(imported = null), overrides).orRefused().value)
        val (paths, others) = statuses.entries.partition { it.value == Expectation().status }
        return question.copy(
            paths = paths.map { it.key },
            requests = others.map { (path, status) -> RequestFlag("GET $path $status") },
        )
    }

    private fun jarOf(subject: Subject): Path? = (subject.origin as? Origin.Jar)?.let { Path(it.path) }

    /** Says which settings [jar] would read if it were started in its own folder or in this one. */
    private fun noteSettings(jar: Path) {
        val folder = listOf(Path("").toAbsolutePath(), jar.parent).find { settingsIn(it) != null } ?: return
        val flag = "--working-directory ${shellPath("$folder")}"
        say("Not read: ${settingsIn(folder)}. The application starts in an empty folder; $flag starts it there.")
    }

    private val nothingVaried: Boolean get() = application.vary.isEmpty() && application.java.size <= 1

    /** The requests of `--import`; null without it. */
    fun imported(): ImportedRequests? {
        val file = application.importFile
        if (file == null) {
            if (application.importHost.isEmpty()) return null
            throw InputProblem("--import-host has no effect without --import.\nAdd --import FILE.")
        }
        if (application.path.isNotEmpty() || application.request.isNotEmpty()) {
            throw InputProblem("--import replaces --path and --request.\nGive one of them.")
        }
        val folder = options.writeExperiment?.toAbsolutePath()?.parent ?: madeStateFolder().resolve("imports")
        return importRequests(file, application.importHost, application.url, folder, say)
    }

    fun surroundings(imported: ImportedRequests?) = Surroundings(
        engines = engines().map { it.kind },
        machine = machine,
        data = { name -> imported?.data?.takeIf { it.path == name } },
    )

    private fun subject(jar: String?): Subject {
        val given = listOfNotNull(jar) + application.names.filter { it in NAMING }
        if (given.size > 1) throw InputProblem("${given.joinToString(" and ")} each name an application.\nGive one of them.")
        application.command?.let { return Subject("command", Origin.Command(wordsOf(it))) }
        application.image?.let { return Subject("image", Origin.Image(it)) }
        application.url?.let { return Subject("url", Origin.Url(it)) }
        val named = jar ?: throw InputProblem(
            "Nothing to measure is named.\n" +
                "Name a built-in experiment ($COMMAND list), a YAML file, a jar, or an application by --command, --image or --url.",
        )
        return jarSubject(named)
    }

    private fun wordsOf(command: String): List<String> {
        val words = shellWords(command)
            ?: throw InputProblem("--command: a quote is not closed in: $command\nClose it, or escape it by a backslash.")
        return words.ifEmpty { throw InputProblem("--command names no program.\nWrite --command './serve --port {port}'.") }
    }

    /** What is compared: as the flags say, otherwise platform and virtual threads where [jar] can have both. */
    private fun varied(jar: Path?): List<String> {
        val isDecided = application.setting.any { it.startsWith("$VIRTUAL_THREADS=") }
        val othersCompared = options.protocol.size > 1 || options.engine.size > 1
        if (jar == null || !nothingVaried || isDecided || othersCompared) return application.vary
        val version = asInput { javaVersion(application.java.singleOrNull()) }
        val whyNot = whyNoVirtualThreads(jar, version)
        val both = "Platform and virtual threads are compared; --vary compares something else."
        say(whyNot?.let { "$it It is measured alone; --vary compares something." } ?: both)
        return if (whyNot == null) listOf(PLATFORM_OR_VIRTUAL) else emptyList()
    }

    /** The compose file of the flag, or the one beside [jar]. */
    private fun compose(jar: Path?): Compose? {
        application.compose()?.let { given ->
            if (Path(given.file).toFile().isFile) return given
            throw InputProblem("--compose: there is no file ${given.file}.\nCheck the path.")
        }
        if (jar == null || application.refusesCompose) return null
        composeFileIn(jar.parent)?.let { beside ->
            say("The services of $beside are started, because it lies beside the jar; --compose none leaves them out.")
            return Compose("$beside")
        }
        projectOf(jar)?.let(::composeFileIn)?.let { say("Not started: $it. If the application needs it, add --compose $it.") }
        return null
    }
}

/** Files from which Spring Boot and Quarkus read settings in the folder that they are started in, and in its folder `config`. */
private val SETTINGS = Regex("""application(-[\w-]+)?\.(properties|ya?ml)|\.env""")

private fun settingsIn(folder: Path): Path? = listOf(folder, folder.resolve("config"))
    .flatMap { it.toFile().listFiles().orEmpty().sorted() }.find { SETTINGS.matches(it.name) }?.toPath()

/** The project's folder of a jar in `target` or `build/libs`. */
private fun projectOf(jar: Path): Path? {
    val folder = jar.parent ?: return null
    return when {
        folder.name == "target" -> folder.parent
        folder.endsWith(Path("build", "libs")) -> folder.parent?.parent
        else -> null
    }
}
