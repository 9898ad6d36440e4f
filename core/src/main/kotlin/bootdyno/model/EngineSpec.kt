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
)
