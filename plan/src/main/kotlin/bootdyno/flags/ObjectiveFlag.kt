package bootdyno.flags

import bootdyno.keys.OBJECTIVE
import bootdyno.yaml.Cursor
import bootdyno.yaml.Place
import bootdyno.yaml.Problems
import bootdyno.yaml.Read
import bootdyno.yaml.TextNode
import kotlinx.serialization.json.JsonPrimitive

/** The key of the file for the objective [text] of `--slo`, as `--set` has it. */
fun objectiveKey(text: String): Read<String> {
    val problems = Problems()
    OBJECTIVE.read(Cursor(TextNode(text, Place("--slo")), "", problems))
    // JSON strings are YAML.
    return if (problems.none) Read.Sound("capacity={ slo: ${JsonPrimitive(text)} }") else Read.Unsound(problems.all())
}
