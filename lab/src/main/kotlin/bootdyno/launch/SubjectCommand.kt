package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.system.limits.Confinement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/**
 * The command line of a subject and its environment. [notes]: settings that could not be passed on. [readsArgumentFile]: whether arguments may
 * be in a file.
 */
internal data class SubjectCommand(
    val words: List<String>,
    val environment: Map<String, String>,
    val notes: List<String>,
    val readsArgumentFile: Boolean = false,
) {
    /** With [port] in place of `{port}`, because some applications take it by a key of their own. */
    fun at(port: Int): SubjectCommand {
        fun filled(text: String) = text.replace("{port}", "$port")
        return copy(words = words.map(::filled), environment = environment.mapValues { filled(it.value) })
    }
}

internal fun jarCommand(what: Launchable, program: Program.Jar, java: JavaRuntime, port: Int, heapFrom: Bytes?): SubjectCommand {
    val given = what.variant.jvm
    val feature = java.feature ?: 0
    val memory = heapFrom?.takeUnless { given.any { it.startsWith("-XX:MaxRAM=") } }
    val limiting = listOfNotNull(
        processors(what),
        memory?.let { "-XX:MaxRAM=${it.count}" },
        NATIVE.takeIf { feature >= 22 && given.none { flag -> flag.startsWith(NATIVE.substringBefore('=')) } },
    )
    val words = listOf("${java.executable}") + limiting + program.flags + given + properties(what, port) +
        listOf("-jar", "${program.path}")
    val notes = listOfNotNull(
        memory?.let {
            "Memory is held by the JVM alone (-XX:MaxRAM=${it.count} sets its heap): threads and buffers outside the heap are " +
                "not limited."
        },
    )
    val environment = ports(what, port) + what.variant.environment
    return SubjectCommand(words, environment, notes, (java.feature ?: ARGUMENT_FILES) >= ARGUMENT_FILES).at(port)
}

/** Fixed at the start, so that pools and collectors have the sizes of the limit while it is lifted for the warm-up. */
private fun processors(what: Launchable): String? =
    what.limits.cpus?.takeUnless { what.variant.jvm.any { it.startsWith(PROCESSORS) } }?.let { "$PROCESSORS=${wholeCpus(it)}" }

/** Native executables support the same flags as a JVM for heap, number of CPUs and properties. */
internal fun executableCommand(what: Launchable, program: Program.Executable, port: Int, heapFrom: Bytes?): SubjectCommand {
    val words = listOf("${program.path}") + listOfNotNull(processors(what)) + what.variant.jvm + properties(what, port)
    val notes = listOfNotNull(heapFrom?.let { "Memory is not limited: a native executable needs a cgroup for that." })
    return SubjectCommand(words, what.variant.environment, notes).at(port)
}

/** Where to listen, for frameworks other than Spring Boot. */
private fun ports(what: Launchable, port: Int): Map<String, String> =
    listOf("PORT", "SERVER_PORT", "QUARKUS_HTTP_PORT", "MICRONAUT_SERVER_PORT").associateWith { "$port" } +
        listOf("QUARKUS_HTTP_HOST", "MICRONAUT_SERVER_HOST").associateWith { what.address }

/** Listens on one address only, unless its settings differ. */
private fun properties(what: Launchable, port: Int): List<String> =
    addresses(what).map { (key, value) -> "-D$key=$value" } + propertiesOf(what.variant) + "-Dserver.port=$port"

/** Spring rejects an address of the management endpoints without a port of their own. */
private fun addresses(what: Launchable): Map<String, String> = buildMap {
    put("server.address", what.address)
    if ("management.server.port" in what.variant.settings) put("management.server.address", LOOPBACK)
} - what.variant.settings.keys

internal const val LOOPBACK = "127.0.0.1"

/** The first JDK with argument files. */
private const val ARGUMENT_FILES = 9

/** Settings as JVM properties, without the port, which we set. */
internal fun propertiesOf(variant: Variant): List<String> =
    variant.settings.filterKeys { it != "server.port" }.map { (key, value) -> "-D$key=$value" }

internal fun plainCommand(what: Launchable, origin: Origin.Command, port: Int, heapFrom: Bytes?): SubjectCommand {
    val variant = what.variant
    val settings = if (variant.settings.isEmpty()) emptyMap() else mapOf(SPRING_JSON to json(variant.settings))
    val notes = listOfNotNull(
        "JVM flags are not passed on to a command: write them into its words.".takeIf { variant.jvm.isNotEmpty() },
        heapFrom?.let { "Memory is not limited: that needs a cgroup." },
    )
    val address = addresses(what).mapKeys { (key, _) -> key.uppercase().replace('.', '_') }
    val environment = ports(what, port) + address + settings + variant.environment
    return SubjectCommand(origin.words, environment, notes).at(port)
}

/**
 * What a container of an image gets by its environment. A JVM in it reads its flags from JAVA_TOOL_OPTIONS, and prints them, so that secret ones
 * are passed otherwise; [options] are the image's own.
 */
internal fun imageCommand(what: Launchable, port: Int, options: String): SubjectCommand {
    val withoutFlags = what.copy(variant = what.variant.copy(jvm = emptyList()))
    val plain = plainCommand(withoutFlags, Origin.Command(emptyList()), port, heapFrom = null)
    val program = listOf(what.subject.name)
    val hidden = secretsInEnvironment(plain.copy(words = program + listOfNotNull(processors(what)) + what.variant.jvm))
    val flags = (listOfNotNull(options.ifBlank { null }) + hidden.words.drop(1)).joinToString(" ")
    val given = mapOf(JAVA_TOOL_OPTIONS to flags).filterValues { it.isNotEmpty() }
    return hidden.copy(words = emptyList(), environment = given + hidden.environment).at(port)
}

/** The variable from which every JVM reads flags. */
internal const val JAVA_TOOL_OPTIONS = "JAVA_TOOL_OPTIONS"

/** The memory for the JVM's heap settings, if no cgroup limits the memory. */
internal fun heapFrom(confinement: Confinement, limits: Limits): Bytes? = limits.memory.takeIf { confinement.memoryByHeap }

private fun json(settings: Map<String, String>) = JsonObject(settings.mapValues { JsonPrimitive(it.value) }).toString()

private const val NATIVE = "--enable-native-access=ALL-UNNAMED"
internal const val PROCESSORS = "-XX:ActiveProcessorCount"

/** A subject or a service to start as a process, with its limits. [firstPath] will be requested first. */
internal data class Launchable(
    val variant: Variant,
    val subject: Subject,
    val limits: Limits,
    val isService: Boolean = false,
    val firstPath: String = "/",
    /** On which it listens. */
    val address: String = LOOPBACK,
) {
    /** The subject of sentences. */
    val who: String get() = if (isService) "The service ${variant.name}" else "The subject"

    /** Its description in the ledger. */
    val inLedger: String get() = if (isService) "the service ${variant.name}" else "the subject ${variant.name}"
}

internal fun Cell.launchable(): Launchable =
    Launchable(variant, subject, limits, firstPath = firstPath(), address = profile.target ?: LOOPBACK)

/** The first path that a `GET` without captured values requests. */
private fun Cell.firstPath(): String = workload.requests().find { it.method == "GET" && '{' !in it.path }?.path ?: "/"
