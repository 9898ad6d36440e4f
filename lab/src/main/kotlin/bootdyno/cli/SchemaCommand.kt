package bootdyno.cli

import bootdyno.keys.experimentSchema
import bootdyno.keys.withKeyTables
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.file

internal class SchemaCommand : DynoCommand("schema", "JSON Schema of the experiment file, for editors") {
    private val tables by option(
        metavar = "FILE",
        help = "Instead write the tables of keys into this Markdown file, between its marks (docs/experiment-keys.md)",
    ).file(mustExist = true, canBeDir = false)

    override fun run() = when (val file = tables) {
        null -> echo(experimentSchema(), trailingNewline = false)
        else -> file.writeText(withKeyTables(file.readText()))
    }
}
