package bootdyno.compose

import bootdyno.launch.Dependency
import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.DockerCli
import bootdyno.launch.docker.removeDockerResource
import bootdyno.launch.orLaunchFailed
import bootdyno.launch.prepare.ToolRun
import bootdyno.model.Compose
import bootdyno.model.DependencyFound
import bootdyno.model.HIDDEN
import bootdyno.model.Stage
import bootdyno.model.listed
import bootdyno.model.looksSecret
import bootdyno.system.Inherited
import bootdyno.system.areOnCpus
import bootdyno.system.cpuListOf
import bootdyno.system.familyOf
import bootdyno.system.formatCpuList
import bootdyno.system.ledger.DockerResource
import bootdyno.system.ledger.Ledger
import bootdyno.system.ledger.newName
import bootdyno.system.moveToCpus
import bootdyno.system.withoutInterrupts
import java.nio.file.Path
import kotlin.time.Duration.Companion.minutes

private val LONGEST_UP = 15.minutes
private val LONGEST_RESET = 10.minutes
private val TAKEN = listOf("port is already allocated", "address already in use", "is already in use by container")
private const val HOW_TO_SHARE =
    "A port or a name is taken, perhaps by containers of your own: `docker compose down` ends them. With " +
        "`ports: [ \"5432\" ]` instead of `\"5432:5432\"`, Docker chooses a free port."

/** Shorter passwords are parts of other words. */
private const val SHORTEST_HIDDEN = 4

/** Resources of a compose project: [cpus] of its containers, and the [log] of its commands. */
class ComposeContext(
    val cpus: List<Int>,
    val ledger: Ledger,
    val log: Path,
    val docker: DockerCli,
    val measured: List<MeasuredApplication> = emptyList(),
    /** Gets messages about slow steps. */
    val say: (String) -> Unit = {},
)

/**
 * The containers of a compose file in a run, as a project of our own. They are new for each trial, or kept and reset by the user's command.
 * They run on the CPUs of services, and are removed with their volumes and networks at the end. Owned by the thread that runs the rounds.
 */
class ComposeProject(private val what: Compose, private val context: ComposeContext) :
    Dependency,
    AutoCloseable {
    private val cli = context.docker
    private val file = Path.of(what.file)
    private val readiness = ComposeReadiness(what.file, cli)
    private var project: DockerResource? = null
    private var ready: List<ReadyContainer> = emptyList()
    private val containers: List<ComposeContainer> get() = ready.map { it.container }

    /** Whether all containers became ready. */
    private var started = false

    /** Whether a subject has used the containers. */
    private var used = false

    /** Whether the user knows that data are kept. */
    private var saidWhatIsKept = false
    private var saidPowers = false

    /** Read once: each trial starts the same. */
    private val choice: ComposeChoice by lazy {
        choose(what, servicesOf(file, cli), context.measured).also { it.why?.let(context.say) }
    }

    /** Variables for subjects; empty before [start]. */
    var environment: Map<String, String> = emptyMap()
        private set

    /** The running containers, without those that end by design. */
    val found: List<DependencyFound>
        get() = ready.map { (its, variables, kept) ->
            DependencyFound(its.service, its.image, its.id, its.pid, cpuListOf(its.pid), variables.keys.toList(), kept)
        }

    /** Their current processes. */
    fun pids(): List<Long> = containers.flatMap { familyOf(it.pid) }

    /** Starts the containers, and waits until they are ready. Throws [LaunchFailed] with the problem and what to do. */
    fun start() {
        if (started && brokeDown() == null) return
        remove()
        started = choice.isNothing
        if (started) return
        val words = composeWords(cli) ?: throw LaunchFailed(Stage.SERVICES, whyNoCompose(cli).orEmpty())
        context.say("Starting ${choice.started.joinToString().ifEmpty { "the services" }} of ${what.file} …")
        val resource = DockerResource(DockerResource.Kind.PROJECT, newName(), cli.host)
        orLaunchFailed(Stage.SERVICES, "The containers could not be made") { context.ledger.add(resource) }
        project = resource
        // Not --wait: it is unknown to docker-compose 1, and fails for containers that end by design.
        val up = listOf("--project-name", resource.name, "--file", what.file, "up", "--detach") + choice.started
        try {
            ToolRun(context.ledger, context.log, Inherited.DOCKER, Stage.SERVICES)
                .toTheEnd("docker compose up of ${what.file}", words + up, LONGEST_UP, cli.environment + mentionedVariables(file))
        } catch (failed: LaunchFailed) {
            // Compose waits for what others depend on, and does not show what that printed.
            throw readiness.failureIn(resource.name) ?: withAdvice(failed)
        }
        ready = readiness.await(resource.name)
        containers.forEach(::pin)
        environment = variables()
        sayPowers()
        sayWhatIsKept()
        started = true
    }

    /** Provides the containers for a trial: new, or reset. Throws [LaunchFailed]. */
    fun makeReady() {
        if (what.fresh && used) remove()
        start()
        if (!what.fresh) reset()
        used = true
    }

    /** How a container ended since [makeReady], as a sentence; null if all run. */
    override fun brokeDown(): String? =
        containers.find { !it.lives }?.let { "The container of ${it.service} (${what.file}) has ended." }

    /** The last lines that the ended containers printed. */
    override fun lastLogLines(n: Int): List<String> = containers.filter { !it.lives }.flatMap { it.lastLines(n, cli) }

    /** [text] without the passwords that subjects get, unless they are also the name of a user, as `postgres` often is. */
    override fun hide(text: String): String {
        val (secret, shown) = environment.entries.partition { looksSecret(it.key) }
        val names = shown.map { it.value }
        return secret.map { it.value }.distinct().filter { it.length >= SHORTEST_HIDDEN && it !in names }
            .fold(text) { so, password -> so.replace(password, HIDDEN) }
    }

    override fun close() = withoutInterrupts(::remove)

    private fun remove() {
        val resource = project ?: return
        if (removeDockerResource(resource, cli)) context.ledger.forget(resource)
        project = null
        ready = emptyList()
        environment = emptyMap()
        started = false
        used = false
    }

    private fun reset() {
        val ofCompose = mapOf("COMPOSE_PROJECT_NAME" to project?.name.orEmpty(), "COMPOSE_FILE" to what.file)
        ToolRun(context.ledger, context.log, Inherited.DOCKER, Stage.SERVICES, file.toAbsolutePath().parent)
            .toTheEnd("The command `reset` of compose", what.reset, LONGEST_RESET, cli.environment + environment + ofCompose)
    }

    private fun variables(): Map<String, String> {
        val all = mutableMapOf<String, String>()
        ready.forEach { (container, variables) ->
            val twice = variables.keys.find { it in all } ?: return@forEach all.putAll(variables)
            throw givesTwice(what, ready.first { twice in it.variables }.container.service, container.service, twice)
        }
        return all
    }

    private fun sayPowers() {
        if (saidPowers) return
        containers.filter { it.powers.isNotEmpty() }.forEach {
            context.say("${it.service} of ${what.file} runs with ${listed(it.powers)}: it can change this machine as root can.")
        }
        saidPowers = true
    }

    /** New containers do not have new data then. */
    private fun sayWhatIsKept() {
        if (saidWhatIsKept || !what.fresh) return
        ready.filter { it.kept.isNotEmpty() }.forEach {
            context.say(
                "${it.container.service} of ${what.file} keeps its data in ${it.kept.joinToString()}: the load changes them, " +
                    "and each trial starts with those of the one before. For a fresh start, use a volume without a name of its own.",
            )
        }
        saidWhatIsKept = true
    }

    /** On the CPUs of services, so that they take none from the subject. */
    private fun pin(container: ComposeContainer) {
        cli.ask("container", "update", "--cpuset-cpus=${formatCpuList(context.cpus)}", container.id)
        val pids = familyOf(container.pid)
        if (!areOnCpus(pids, context.cpus)) moveToCpus(pids, context.cpus)
    }

    private fun withAdvice(failed: LaunchFailed): LaunchFailed =
        failed.takeIf { it.lastLines.none { line -> TAKEN.any { taken -> taken in line } } }
            ?: LaunchFailed(failed.stage, "${failed.reason} $HOW_TO_SHARE", failed.lastLines, failed)
}
