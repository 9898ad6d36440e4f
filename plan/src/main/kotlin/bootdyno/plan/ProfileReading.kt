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
import kotlin.time.Duration.Companion.seconds

/** The window of `protocol: article`, that of `wrk -d30s`, under every preset. */
private val ARTICLE_WINDOW = 30.seconds

/**
 * The declared profile, or one per value of its load; null after a problem. Protocols are added later. The window of a burst is its time
 * limit. No preset or protocol shortens it, because all requests must be sent.
 */
internal fun readProfile(entry: Entry, preset: Preset): List<NamedProfile>? {
    entry.checkName()
    val fields = ProfileKeys.read(entry.value) ?: return null
    val kind = fields.exactlyOne(ProfileKeys.kinds) ?: return null
    if (kind != ProfileKeys.open) {
        fields.at(ProfileKeys.arrivals)?.problem("only open load has arrivals", "remove it, or write open: 500/s")
    }
    val cursor = fields.at(kind) ?: return null
    val loads = kind.type.read(cursor) ?: return null
    if (loads.swept && !checkAxis(cursor, loads.values)) return null
    val declaredWindow = fields[ProfileKeys.window]
    return loads.values.map { load ->
        val point = if (loads.swept) pointOf(entry.name, load) else null
        NamedProfile(
            name = point?.named ?: entry.name,
            load = if (load is LoadProfile.Open) load.copy(arrivals = fields[ProfileKeys.arrivals]) else load,
            window = if (load.isBurst) declaredWindow ?: Timing.BURST_WINDOW else preset.window(declaredWindow),
            timeout = fields[ProfileKeys.timeout],
            point = point,
            declared = entry.name,
            certified = fields[ProfileKeys.warmUp] ?: false,
            engine = EngineSpec(network = fields[ProfileKeys.network]),
        )
    }
}

/** The swept quantity of a load whose number is a list, and its value. */
private fun pointOf(declared: String, load: LoadProfile) = when (load) {
    is LoadProfile.Closed -> AxisPoint(declared, "connections", load.connections.toDouble())
    is LoadProfile.Open -> AxisPoint(declared, "rate", load.perSecond)
    is LoadProfile.Burst -> AxisPoint(declared, "users", load.users.toDouble())
}

/**
 * Every profile for every protocol and engine. A single declared profile takes their names (`article`, `steady`, `steady+wrk`); several
 * profiles keep their names and append them (`saturate+article`).
 */
internal fun byProtocolAndEngine(
    profiles: List<NamedProfile>,
    protocols: List<MeasuringProtocol>,
    engines: List<EngineSpec>,
): List<NamedProfile> = profiles.flatMap { profile ->
    protocols.flatMap { protocol ->
        engines.map { engine ->
            val ways = listOfNotNull(protocol.word.takeIf { protocols.size > 1 }, engine.name.takeIf { engines.size > 1 })
            val names = listOf(profile.name).filter { profiles.size > 1 || ways.isEmpty() }
            val fixed = protocol == MeasuringProtocol.ARTICLE && !profile.load.isBurst
            val window = if (fixed) ARTICLE_WINDOW else profile.window
            profile.copy(
                name = (names + ways).joinToString("+"),
                window = window,
                protocol = protocol,
                engine = engine.copy(network = profile.engine.network),
            )
        }
    }
}
