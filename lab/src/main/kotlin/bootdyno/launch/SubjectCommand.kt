package bootdyno.launch

import bootdyno.model.Bytes
import bootdyno.model.Limits
import bootdyno.model.Origin
import bootdyno.model.Variant
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** What is started: the subject's own words, and what is put into its environment. [notes]: what could not be passed on. */
internal data class SubjectCommand(val words: List<String>, val environment: Map<String, String>, val notes: List<String>)

/** These change any JVM that finds them; a subject gets the flags of its variant and no others. */
internal val HIDDEN_FROM_SUBJECTS = listOf("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")

internal fun jarCommand(what: Launchable, program: Program.Jar, java: JavaRuntime, port: Int, heapFrom: Bytes?): SubjectCommand {
    val variant = what.variant
    val given = variant.jvm
    // Fixed beforehand, so that pools and collectors stay as under the limit while it is lifted for the warm-up.
    val processors = what.limits.cpus?.takeUnless { given.any { it.startsWith("-XX:ActiveProcessorCount") } }
    val memory = heapFrom?.takeUnless { given.any { it.startsWith("-XX:MaxRAM=") } }
    val words = listOf("${java.executable}") +
        listOfNotNull(
            processors?.let { "-XX:ActiveProcessorCount=${wholeCpus(it)}" },
            memory?.let { "-XX:MaxRAM=${it.count}" },
            "--enable-native-access=ALL-UNNAMED".takeIf {
                (java.feature ?: 0) >= 22 &&
                    given.none { flag -> flag.startsWith(NATIVE) }
            },
        ) +
        program.flags +
        given +
        properties(variant, port) +
        listOf("-jar", "${program.path}")
    return SubjectCommand(words, variant.environment, heapNotes(memory))
}

/** A native executable takes the same flags for its heap, its count of CPUs and its properties as a JVM does. */
internal fun executableCommand(what: Launchable, program: Program.Executable, port: Int, heapFrom: Bytes?): SubjectCommand {
    val given = what.variant.jvm
    val processors = what.limits.cpus?.takeUnless { given.any { it.startsWith("-XX:ActiveProcessorCount") } }
    val words =
        listOf("${program.path}") + listOfNotNull(processors?.let { "-XX:ActiveProcessorCount=${wholeCpus(it)}" }) + given +
            properties(what.variant, port)
    val notes = listOfNotNull(heapFrom?.let { "Memory is not limited: a native executable needs a cgroup for that." })
    return SubjectCommand(words, what.variant.environment, notes)
}

private fun properties(variant: Variant, port: Int): List<String> = propertiesOf(variant) + "-Dserver.port=$port"

/** Its settings, as a JVM takes them; the port is ours to say. */
internal fun propertiesOf(variant: Variant): List<String> =
    variant.settings.filterKeys { it != "server.port" }.map { (key, value) -> "-D$key=$value" }

internal fun plainCommand(what: Launchable, origin: Origin.Command, port: Int, heapFrom: Bytes?): SubjectCommand {
    val variant = what.variant
    val settings = if (variant.settings.isEmpty()) emptyMap() else mapOf("SPRING_APPLICATION_JSON" to json(variant.settings))
    val notes = listOfNotNull(
        "JVM flags are not passed on to a command: write them into its words.".takeIf { variant.jvm.isNotEmpty() },
        heapFrom?.let { "Memory is not limited: that needs a cgroup." },
    )
    val environment = mapOf("PORT" to "$port", "SERVER_PORT" to "$port") + settings + variant.environment
    return SubjectCommand(origin.words.map { it.replace("{port}", "$port") }, environment, notes)
}

/** What the limits ask of the heap where no group holds the memory. */
internal fun heapFrom(confinement: Confinement, limits: Limits): Bytes? = limits.memory.takeIf { confinement.memoryByHeap }

/** Words as they may be written down: values whose key sounds like a secret are masked. */
internal fun withoutSecrets(words: List<String>): List<String> = words.map { word ->
    val key = word.substringBefore('=', "")
    if (SECRETS.any { it in key.lowercase() }) "$key=***" else word
}

private fun heapNotes(memory: Bytes?) = listOfNotNull(
    memory?.let {
        "Memory is held by the JVM alone (-XX:MaxRAM=${it.count} sets its heap): threads and buffers outside the heap are not limited."
    },
)

private fun json(settings: Map<String, String>) = JsonObject(settings.mapValues { JsonPrimitive(it.value) }).toString()

private const val NATIVE = "--enable-native-access"
private val SECRETS = listOf("password", "secret", "token", "credential", "apikey", "api-key")
