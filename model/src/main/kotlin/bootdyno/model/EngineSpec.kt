package bootdyno.model

import kotlinx.serialization.Serializable

/** The name of our own load engine, the default. */
const val OWN_ENGINE = "dyno"

/** The load engine of the window and its options. Warm-ups always use our own engine, see [ownEngine]. */
@Serializable
data class EngineSpec(
    val name: String = OWN_ENGINE,
    /** Absolute path of the user's Lua or k6 script, JMeter plan or Gatling simulation; null: generated from workload and profile. */
    val script: String? = null,
    val options: Map<String, String> = emptyMap(),
    /** Whether [script] defines the load, so that the window ignores the profile. */
    val bringsLoad: Boolean = false,
    /** The network of the profile; null: loopback, or that between machines. */
    val network: NetworkShape? = null,
) {
    /** The file name of [script]. */
    val scriptName: String? get() = script?.substringAfterLast('/')

    /** Other hosts that generate the load; empty for this machine. */
    val hosts: List<String> get() = ownOption(HOSTS)?.split(',').orEmpty().map { it.trim() }.filter { it.isNotEmpty() }

    /** The address of this machine to which [hosts], or a generator behind [network], send; null: not stated. */
    val target: String? get() = ownOption(TARGET)?.trim() ?: network?.let { NetworkShape.SUBJECT }

    /** The engine of all load that a window with this one does not send: our own, from the same hosts. */
    val ownEngine: EngineSpec get() = if (name == OWN_ENGINE) this else EngineSpec()

    private fun ownOption(option: String): String? = options[option].takeIf { name == OWN_ENGINE }

    companion object {
        const val HOSTS = "hosts"
        const val TARGET = "target"
    }
}

/** Capabilities of a load engine, to reject unsupported plans before a run. */
data class EngineKind(
    val name: String,
    val loads: Set<LoadKind>,
    /** File extensions of its scripts, `.jmx`; empty if it takes none. */
    val scripts: Set<String> = emptySet(),
    /** Names of its options; `properties.*` stands for all options with that prefix. */
    val options: Set<String> = emptySet(),
    /** Whether it supports chains of requests. */
    val chains: Boolean = false,
    /** Whether it supports mixes of requests, think times, logins and cookies. */
    val users: Boolean = false,
    /** Whether its scripts define the load; otherwise only the requests. */
    val scriptsBringLoad: Boolean = false,
    /** Whether it supports HTTP/2 and the [Subject.serverName]; all support TLS. */
    val http2: Boolean = false,
    /** Whether its open load supports Poisson arrivals. */
    val poisson: Boolean = true,
) {
    fun spec(script: String? = null, options: Map<String, String> = emptyMap()) =
        EngineSpec(name, script, options, bringsLoad = script != null && scriptsBringLoad)

    fun knows(option: String): Boolean =
        options.any { it == option || (it.endsWith("*") && option.startsWith(it.removeSuffix("*"))) }

    companion object {
        val OWN = EngineKind(
            OWN_ENGINE,
            LoadKind.entries.toSet(),
            options = setOf(EngineSpec.HOSTS, EngineSpec.TARGET, "java", "command", "transport"),
            chains = true,
            users = true,
            http2 = true,
        )
    }
}
