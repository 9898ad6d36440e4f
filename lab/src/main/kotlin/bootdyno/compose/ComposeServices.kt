package bootdyno.compose

import bootdyno.launch.LaunchFailed
import bootdyno.launch.docker.DockerCli
import bootdyno.model.Compose
import bootdyno.model.Plan
import bootdyno.model.Stage
import bootdyno.model.jsonOf
import bootdyno.model.listed
import bootdyno.system.Inherited
import bootdyno.system.ShortCommand
import bootdyno.system.ioOrNull
import bootdyno.system.runWithin
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import java.nio.file.Path
import kotlin.io.path.name
import kotlin.time.Duration.Companion.seconds

/** A service of a compose file, as `config` of compose resolves it. */
internal class ComposeService(val name: String, private val told: JsonObject) {
    val image: String? = textOf(told["image"])

    val isBuilt: Boolean = "build" in told

    /** The folder that it is built from; null for an image that exists. */
    val buildFolder: Path? = told["build"]?.let { build -> textOf((build as? JsonObject)?.get("context") ?: build) }
        ?.takeUnless { "://" in it }?.let { Path.of(it).normalize() }
    private val environment: Map<String, String> = told.texts("environment")
    private val ports = (told["ports"] as? JsonArray).orEmpty().map { textOf((it as? JsonObject)?.get("target")) }
    val dependsOn: Set<String> = (told["depends_on"] as? JsonObject)?.keys.orEmpty()
    val kind: ConnectionKind? = connectionKind(told.texts("labels"), image.orEmpty(), environment.keys)

    /** Whether it has settings of Spring Boot, as an application has. */
    val isSpring: Boolean get() = environment.keys.any { it.startsWith("SPRING_") }

    /** Whether it depends on [other], or its variables name that. */
    fun uses(other: ComposeService): Boolean =
        other.name in dependsOn || environment.values.any { Regex("\\b${Regex.escape(other.name)}\\b") in it }

    /** Whether it, its image or its folder has a name of [application]: `orders` of `orders-1.2.jar`. */
    fun isCalledLike(application: MeasuredApplication): Boolean = listOfNotNull(name, image?.let(::nameOf), buildFolder?.name)
        .any { own -> application.names.any { it.equals(own, ignoreCase = true) } }

    /** Whether it publishes the port of [application]. */
    fun publishes(application: MeasuredApplication): Boolean = (environment["SERVER_PORT"] ?: "${application.port}") in ports
}

/** What is [started] of a compose file, all if that and [left] are empty, and what is left out, with the reason as a sentence. */
internal data class ComposeChoice(val started: List<String>, val left: List<String> = emptyList(), val why: String? = null) {
    val isNothing: Boolean get() = started.isEmpty() && left.isNotEmpty()
}

/**
 * The services of [what] to start: those that it names, or all without the application that is [measured], and without what depends on
 * it. Throws [LaunchFailed] if two of them give subjects the same address. [services] are all of the file; null if compose cannot say.
 */
internal fun choose(what: Compose, services: List<ComposeService>?, measured: List<MeasuredApplication>): ComposeChoice {
    services ?: return ComposeChoice(what.services)
    if (what.services.isNotEmpty()) {
        refuseTwice(what, services.filter { it.name in withDependencies(what.services, services) })
        return ComposeChoice(what.services)
    }
    val application = applicationIn(services, measured)
    val left = dependentOn(listOfNotNull(application), services)
    val started = services - left
    refuseTwice(what, started)
    if (application == null) return ComposeChoice(emptyList(), why = doubtOf(what, services))
    val others = left.filter { it != application }.map { it.name }
    val why = "Left out of ${what.file}: ${application.name}, which is the application" +
        if (others.isEmpty()) "." else ", and ${listed(others)}, which depend${if (others.size == 1) "s" else ""} on it."
    return ComposeChoice(started.map { it.name }, left.map { it.name }, "$why To choose: --compose FILE=SERVICE,….")
}

/** [some] of [services], and what depends on them. */
private fun dependentOn(some: List<ComposeService>, services: List<ComposeService>): Set<ComposeService> =
    services.filter { one -> withDependencies(listOf(one.name), services).let { all -> some.any { it.name in all } } }.toSet()

/** That services which look like an application are started, as a sentence or two; null without such services. */
private fun doubtOf(what: Compose, services: List<ComposeService>): String? {
    val known = services.filter { it.kind != null }
    val alike = services.filter { one -> one.kind == null && one.isBuilt && known.any(one::uses) }.ifEmpty { return null }
    val names = listed(alike.map { it.name })
    val others = (services - dependentOn(alike, services)).joinToString(",") { it.name }
    return "$names of ${what.file} may be the measured application. To leave it out: --compose FILE=$others."
}

/**
 * The service that is built from a folder with the measured file; otherwise one that is called like it. Of several, the one with its port or
 * with settings of Spring Boot. Otherwise the only one that is built, if it has the port; otherwise the only one with such settings. Both must
 * use another service or be alone: servers of others are built or have such settings, too.
 */
private fun applicationIn(services: List<ComposeService>, measured: List<MeasuredApplication>): ComposeService? {
    val unknown = services.filter { it.kind == null }
    val (published, hidden) = unknown.partition { measured.any(it::publishes) }
    fun onlyUser(some: List<ComposeService>) = some.singleOrNull()?.takeIf { services.size == 1 || services.any(it::uses) }
    fun likeliest(some: List<ComposeService>) = some.singleOrNull() ?: (some - hidden.toSet()).singleOrNull()
        ?: some.filter { it.isSpring }.singleOrNull()

    val built = unknown.filter { service ->
        service.buildFolder?.let { folder -> measured.any { it.file?.startsWith(folder) == true } } == true
    }
    val nearest = built.filter { one -> one.buildFolder?.nameCount == built.maxOf { it.buildFolder?.nameCount ?: 0 } }
    return likeliest(nearest) ?: nearest.firstOrNull()
        ?: likeliest(unknown.filter { service -> measured.any(service::isCalledLike) })
        ?: onlyUser(unknown.filter { it.isBuilt })?.takeIf { it in published }
        ?: onlyUser(unknown.filter { it.isSpring })
}

private fun withDependencies(names: List<String>, services: List<ComposeService>): Set<String> {
    val all = LinkedHashSet(names)
    val waiting = ArrayDeque(names)
    while (waiting.isNotEmpty()) {
        val next = waiting.removeFirst()
        services.find { it.name == next }?.dependsOn.orEmpty().filter(all::add).forEach(waiting::add)
    }
    return all
}

private fun refuseTwice(what: Compose, started: List<ComposeService>) {
    val services = started.mapNotNull { service -> service.kind?.let { service to it.variables(NO_ADDRESS, emptyMap()).keys } }
    services.forEachIndexed { index, (service, variables) ->
        val earlier = services.take(index).find { (_, others) -> others.any { it in variables } } ?: return@forEachIndexed
        throw givesTwice(what, earlier.first.name, service.name, variables.first { it in earlier.second })
    }
}

/** Two services give the same [variable]. */
internal fun givesTwice(what: Compose, one: String, other: String, variable: String) = LaunchFailed(
    Stage.SERVICES,
    "$one and $other of ${what.file} both give $variable. Name the services that are needed: " +
        "compose: { file: …, services: [ $one ] }, or --compose FILE=$one.",
)

/** What [plan] would start of its compose file, as a sentence or two; null without compose here. Throws [LaunchFailed] if that cannot be started. */
fun composeForecast(plan: Plan, what: Compose, cli: DockerCli): String? {
    val printed = resolved(Path.of(what.file), cli) ?: return null
    if (!printed.succeeded) {
        throw LaunchFailed(
            Stage.SERVICES,
            "Compose refuses ${what.file}: ${printed.output.lines().last { it.isNotBlank() }.trim()}",
        )
    }
    val services = servicesIn(printed).orEmpty()
    val choice = choose(what, services, measuredApplications(plan))
    val started = choice.started.ifEmpty { (services.map { it.name } - choice.left.toSet()) }
    val all = if (started.isEmpty()) "nothing" else listed(started)
    return listOfNotNull("Started for each trial: $all of ${what.file}.", choice.why).joinToString(" ")
}

/** The services of [file]; null where compose cannot print them: one before 2, and a file that it refuses, whose start says why. */
internal fun servicesOf(file: Path, cli: DockerCli): List<ComposeService>? =
    resolved(file, cli)?.takeIf { it.succeeded }?.let(::servicesIn)

private fun resolved(file: Path, cli: DockerCli): ShortCommand? {
    val words = composeWords(cli) ?: return null
    val command = words + listOf("--file", "$file", "config", "--format", "json")
    return ioOrNull { runWithin(LONGEST_CONFIG, command, Inherited.DOCKER, cli.environment + mentionedVariables(file)) }
}

/** Warnings come before the document. */
private fun servicesIn(printed: ShortCommand): List<ComposeService>? {
    val model = jsonOf(printed.output.substring(printed.output.indexOf('{').coerceAtLeast(0))) as? JsonObject
    return (model?.get("services") as? JsonObject)?.map { (name, told) ->
        ComposeService(name, told as? JsonObject ?: JsonObject(emptyMap()))
    }
}

private val NO_ADDRESS = ServiceAddress("", 0)
private val LONGEST_CONFIG = 20.seconds
