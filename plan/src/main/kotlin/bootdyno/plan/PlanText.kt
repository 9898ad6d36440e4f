package bootdyno.plan

import bootdyno.keys.ExperimentKeys
import bootdyno.model.Plan
import bootdyno.yaml.MapNode
import bootdyno.yaml.withoutLinks
import bootdyno.yaml.yamlText

/**
 * The resolved experiment as YAML, with all defaults and flags. Reading it gives the same plan.
 *
 * @param commented whether a comment above each key of the file says what it means
 */
fun planText(plan: Plan, commented: Boolean = false): String = buildString {
    val tree = ExperimentKeys.write(plan.experiment)
    tree.fields.forEach { field ->
        if (commented) append("\n# ${meaning(field.name)}\n")
        append(yamlText(MapNode(listOf(field), field.place)))
    }
}

private fun meaning(key: String): String = withoutLinks(ExperimentKeys.keys.first { it.name == key }.description)
