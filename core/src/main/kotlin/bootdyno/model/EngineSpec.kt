package bootdyno.model

import kotlinx.serialization.Serializable

/** The name of our own load engine, the default. */
const val OWN_ENGINE = "dyno"

/** The load engine of the window and its options. Warm-ups always use our own engine. */
@Serializable
data class EngineSpec(
    val name: String = OWN_ENGINE,
    /** Absolute path of the user's Lua or k6 script, JMeter plan or Gatling simulation; null: generated from workload and profile. */
    val script: String? = null,
    val options: Map<String, String> = emptyMap(),
    /** Whether [script] defines the load, so that the window ignores the profile. */
    val bringsLoad: Boolean = false,
) {
    /** The file name of [script]. */
    val scriptName: String? get() = script?.substringAfterLast('/')
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
    /** Whether it supports HTTP/2; all support TLS. */
    val http2: Boolean = false,
    /** Whether its open load supports Poisson arrivals. */
    val poisson: Boolean = true,
) {
    fun spec(script: String? = null, options: Map<String, String> = emptyMap()) =
        EngineSpec(name, script, options, bringsLoad = script != null && scriptsBringLoad)

    fun knows(option: String): Boolean =
        options.any { it == option || (it.endsWith("*") && option.startsWith(it.removeSuffix("*"))) }

    companion object {
        val OWN = EngineKind(OWN_ENGINE, LoadKind.entries.toSet(), chains = true, users = true, http2 = true)
    }
}
