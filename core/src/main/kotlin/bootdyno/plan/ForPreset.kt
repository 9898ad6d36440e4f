package bootdyno.plan

import bootdyno.model.Experiment
import bootdyno.model.Preset

/** A file with what it says for the preset in use merged over it; [ofPreset] are the keys that came from there. */
internal data class ForPreset(val tree: MapNode, val ofPreset: Set<String>)

/** Merges `presets: { quick: { only: […] } }` over the rest of the file, where [flag] or the file choose that preset. */
internal fun withPreset(tree: MapNode, flag: Preset?, problems: Problems): ForPreset {
    val presets = tree["presets"] ?: return ForPreset(tree, emptySet())
    val rest = tree.without("presets")
    PresetsKeys.read(Cursor(presets, "presets", problems))
    val name = flag?.let(::word) ?: (tree["preset"] as? TextNode)?.text ?: word(ExperimentKeys.preset.default)
    val chosen = (presets as? MapNode)?.get(name) as? MapNode ?: return ForPreset(rest, emptySet())
    return ForPreset(merge(rest, chosen), chosen.fields.map { it.name }.toSet())
}

private fun word(preset: Preset) = PRESETS.entries.first { it.value == preset }.key

internal object PresetsKeys : OpenShape<Experiment>("presets", "What the file says otherwise under a preset.") {
    init {
        include(PRESETS.keys.map { Key(it, UnderPreset, "Any keys of the file.", required = false, old = null) { null } })
    }
}

/** The file's keys, but those that no preset can change. Its schema is not said twice. */
private object UnderPreset : OpenShape<Experiment>("file", "Any keys of the file.") {
    override val schema = typed("object")
    private val all by lazy { ExperimentKeys.run { include(keys - setOf(name, extends, preset, presets)) } }

    override fun read(cursor: Cursor): Fields? = all.let { fields(cursor) }

    override fun renamed(node: Node, problems: Problems) = all.let { super.renamed(node, problems) }
}
