package bootdyno.plan

import bootdyno.model.Preset

/** A file with what it says for the preset in use merged over it; [ofPreset] are the keys that came from there. */
internal data class ForPreset(val tree: MapNode, val ofPreset: Set<String>)

/** Merges `presets: { quick: { only: […] } }` over the rest of the file, where [flag] or the file choose that preset. */
internal fun withPreset(tree: MapNode, flag: Preset?, problems: Problems): ForPreset {
    val presets = tree["presets"] ?: return ForPreset(tree, emptySet())
    val rest = tree.without("presets")
    val cursor = Cursor(presets, "presets", problems)
    val fields = cursor.fields(PRESETS.keys.toList()) ?: return ForPreset(rest, emptySet())
    PRESETS.keys.forEach { name -> fields[name]?.fields(EXPERIMENT_KEYS - NOT_BY_PRESET) }
    val name = flag?.let { word(PRESETS, it) } ?: (tree["preset"] as? TextNode)?.text ?: word(PRESETS, Preset.STANDARD)
    val chosen = (presets as? MapNode)?.get(name) as? MapNode ?: return ForPreset(rest, emptySet())
    return ForPreset(merge(rest, chosen), chosen.fields.map { it.name }.toSet())
}

private val NOT_BY_PRESET = setOf("name", "extends", "preset", "presets")
