package bootdyno.cli

import bootdyno.plan.experimentSchema
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.core.Context

internal class SchemaCommand : CliktCommand(name = "schema") {
    override fun help(context: Context) = "JSON Schema of the experiment file, for editors"

    override fun run() = echo(experimentSchema(), trailingNewline = false)
}
