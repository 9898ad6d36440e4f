package bootdyno.model

import kotlinx.serialization.Serializable

/** The name of our own load engine, the default. */
const val OWN_ENGINE = "dyno"

/** Which load engine asks in the window, and what it was told in its own words. Warming up is always our own engine's. */
@Serializable
data class EngineSpec(
    val name: String = OWN_ENGINE,
    /** The user's own Lua script, JMeter plan or Gatling simulation, an absolute path; null: made from the workload and the profile. */
    val script: String? = null,
    /** Options of that engine, `threads: 12`. */
    val options: Map<String, String> = emptyMap(),
    /** Whether [script] says how many ask, and how often: in the window the profile's load is not asked for then. */
    val bringsLoad: Boolean = false,
) {
    /** The file name of [script]. */
    val scriptName: String? get() = script?.substringAfterLast('/')
}

/** What a load engine can do, declared, so that a plan it cannot carry out is refused before anything is started. */
data class EngineKind(
    val name: String,
    val loads: Set<LoadKind>,
    /** How the scripts end that it takes, `.jmx`; empty where it takes none. */
    val scripts: Set<String> = emptySet(),
    /** The options it knows; `properties.*` stands for all that begin so. */
    val options: Set<String> = emptySet(),
    /** Whether it goes through chains of requests. */
    val chains: Boolean = false,
    /** Whether a script says how many ask, and how often; else it says what they ask for only. */
    val scriptsBringLoad: Boolean = false,
) {
    fun spec(script: String? = null, options: Map<String, String> = emptyMap()) =
        EngineSpec(name, script, options, bringsLoad = script != null && scriptsBringLoad)

    fun knows(option: String): Boolean =
        options.any { it == option || (it.endsWith("*") && option.startsWith(it.removeSuffix("*"))) }

    companion object {
        /** Our own. */
        val OWN = EngineKind(OWN_ENGINE, LoadKind.entries.toSet(), chains = true)
    }
}
