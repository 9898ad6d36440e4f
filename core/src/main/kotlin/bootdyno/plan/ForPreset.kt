package bootdyno.plan

import bootdyno.model.Experiment
import bootdyno.model.Preset

/** A file with what it says for the preset in use merged over it; [ofPreset] are the keys that came from there. */
internal data class ForPreset(val tree: MapNode, val ofPreset: Set<String>)

/** Merges `presets: { quick: { only: […] } }` over the rest of the file, where [flag] or the file choose that preset. */
internal fun withPreset(tree: MapNode, flag: Preset?, problems: Problems): ForPreset {
    val presets = tree["presets"] ?: return ForPreset(tree, emptySet())
    val rest = tree.without("presets")
    val fields = PresetsKeys.read(Cursor(presets, "presets", problems)) ?: return ForPreset(rest, emptySet())
    PresetsKeys.keys.forEach { fields[it] }
    val name = flag?.let(::word) ?: (tree["preset"] as? TextNode)?.text ?: word(ExperimentKeys.preset.default)
    val chosen = (presets as? MapNode)?.get(name) as? MapNode ?: return ForPreset(rest, emptySet())
    return ForPreset(merge(rest, chosen), chosen.fields.map { it.name }.toSet())
}

private fun word(preset: Preset) = PRESETS.entries.first { it.value == preset }.key

internal object PresetsKeys : Shape<Experiment>("presets", "What the file says otherwise under a preset.") {
    init {
        PRESETS.keys.forEach { key(it, UnderPreset, "Any keys of the file but name, extends, preset and presets.") { null } }
    }
}

/** What a preset may change is the whole file; the schema does not say it twice. */
private object UnderPreset : Type<Fields, MapNode>() {
    private val keys by lazy {
        object : Shape<Experiment>("file", "") {
            init {
                val not = ExperimentKeys.run { setOf(name, extends, preset, presets) }
                include(ExperimentKeys.keys - not)
            }
        }
    }
    override val words = "keys of the file"
    override val schema = typed("object")

    override fun read(cursor: Cursor) = keys.read(cursor)

    override fun write(value: MapNode) = value

    override fun renamed(node: Node, problems: Problems) = keys.renamed(node, problems)
}
