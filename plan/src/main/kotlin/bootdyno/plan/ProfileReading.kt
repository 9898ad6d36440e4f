package bootdyno.plan

import bootdyno.keys.ProfileKeys
import bootdyno.keys.checkName
import bootdyno.model.AxisPoint
import bootdyno.model.EngineSpec
import bootdyno.model.LoadProfile
import bootdyno.model.MeasuringProtocol
import bootdyno.model.NamedProfile
import bootdyno.model.Preset
import bootdyno.schedule.Timing
import bootdyno.yaml.Entry
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** The window of `protocol: article`, that of `wrk -d30s`, under every preset. */
private val ARTICLE_WINDOW = 30.seconds

/** The declared profile, or one per value of its load, for each of the [protocols]; null after a problem. */
internal fun readProfile(entry: Entry, preset: Preset, protocols: List<MeasuringProtocol>): List<NamedProfile>? {
    entry.checkName()
    val fields = ProfileKeys.read(entry.value) ?: return null
    val kind = fields.exactlyOne(ProfileKeys.kinds) ?: return null
    if (kind != ProfileKeys.open) {
        fields.at(ProfileKeys.arrivals)?.problem("only open load has arrivals", "remove it, or write open: 500/s")
    }
    val cursor = fields.at(kind) ?: return null
    val loads = kind.type.read(cursor) ?: return null
    if (loads.swept && !checkAxis(cursor, loads.values)) return null
    return loads.values.flatMap { load ->
        val point = if (loads.swept) pointOf(entry.name, load) else null
        protocols.map { protocol ->
            NamedProfile(
                name = point?.named ?: entry.name,
                load = if (load is LoadProfile.Open) load.copy(arrivals = fields[ProfileKeys.arrivals]) else load,
                window = windowOf(load, fields[ProfileKeys.window], protocol, preset),
                timeout = fields[ProfileKeys.timeout],
                protocol = protocol,
                point = point,
                declared = entry.name,
                certified = fields[ProfileKeys.warmUp] ?: false,
                engine = EngineSpec(network = fields[ProfileKeys.network]),
            )
        }
    }
}

/** The window of a burst is its time limit. No preset or protocol shortens it, because all requests must be sent. */
private fun windowOf(load: LoadProfile, declared: Duration?, protocol: MeasuringProtocol, preset: Preset): Duration = when {
    load.isBurst -> declared ?: Timing.BURST_WINDOW
    protocol == MeasuringProtocol.ARTICLE -> ARTICLE_WINDOW
    else -> preset.window(declared)
}

/** The swept quantity of a load whose number is a list, and its value. */
private fun pointOf(declared: String, load: LoadProfile) = when (load) {
    is LoadProfile.Closed -> AxisPoint(declared, "connections", load.connections.toDouble())
    is LoadProfile.Open -> AxisPoint(declared, "rate", load.perSecond)
    is LoadProfile.Burst -> AxisPoint(declared, "users", load.users.toDouble())
}

/**
 * Every profile for every engine. A single declared profile takes the names of its [protocols] and engines (`article`, `steady`,
 * `steady+wrk`); several profiles keep their names and append them (`saturate+article`).
 */
internal fun byEngine(
    profiles: List<NamedProfile>,
    protocols: List<MeasuringProtocol>,
    engines: List<EngineSpec>,
): List<NamedProfile> = profiles.flatMap { profile ->
    engines.map { engine ->
        val ways = listOfNotNull(profile.protocol.word.takeIf { protocols.size > 1 }, engine.name.takeIf { engines.size > 1 })
        val names = listOf(profile.name).filter { profiles.size > protocols.size || ways.isEmpty() }
        profile.copy(name = (names + ways).joinToString("+"), engine = engine.copy(network = profile.engine.network))
    }
}
