package bootdyno.keys

import bootdyno.model.Preset
import bootdyno.model.WarmUp
import bootdyno.yaml.OpenShape
import bootdyno.yaml.duration

internal val PRESETS = Preset.entries.associateBy { it.word }

internal object WarmUpKeys : OpenShape<WarmUp.Certified>("warm-up", "Duration of warm-ups before the measurement.") {
    val lawLike by key(duration(WARM_UP_TIMES), "Duration for workloads that set `holds`.") { it.lawLike }
    val budget by key(duration(WARM_UP_TIMES), "Time limit for other workloads, which warm up until steady.") { it.budget }
}
