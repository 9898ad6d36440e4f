package bootdyno.plan

import bootdyno.model.CellId

/**
 * The ids of every cell an experiment describes, made from names alone, in display order.
 *
 * Known even where a variant or workload could not be read, so that a reference to it is not reported as a second problem.
 */
internal class Grid(variants: List<String>, private val workloads: List<WorkloadNames>, private val profiles: List<String>) {
    val ids: List<CellId> = variants.flatMap { variant ->
        workloads.filter { it.on.isEmpty() || variant in it.on }.flatMap { workload ->
            profiles.map { cellId(variant, workload.name, it, profiles.size) }
        }
    }

    /** The cell that [cursor] names; null after a problem, or when the grid is empty for reasons reported elsewhere. */
    fun cell(cursor: Cursor): CellId? = cursor.text()?.let { cell(it, cursor::problem) }

    fun cell(text: String, problem: (String, String?) -> Nothing?): CellId? {
        val id = CellId(text)
        return if (id in ids || ids.isEmpty()) id else problem("there is no cell `$text`", hint(text))
    }

    fun hint(text: String): String? {
        val severalProfiles = profiles.size > 1 && '@' !in text
        return if (severalProfiles) {
            "name the profile too: $text@${profiles.first()}"
        } else {
            suggestion(
                text,
                ids.map {
                    it.text
                },
                "cells",
            )
        }
    }
}

internal data class WorkloadNames(val name: String, val on: List<String>)

internal fun cellId(variant: String, workload: String, profile: String, profiles: Int) =
    CellId(if (profiles > 1) "$variant/$workload@$profile" else "$variant/$workload")
