package bootdyno.cli

import bootdyno.keys.LARGEST_YAML
import bootdyno.measure.InputProblem
import bootdyno.measure.engines
import bootdyno.model.nounOf
import bootdyno.model.plural
import bootdyno.plan.Surroundings
import bootdyno.plan.readPlan
import bootdyno.yaml.Read
import java.nio.file.Path
import kotlin.io.path.name

internal class ListCommand(private val home: Home) : DynoCommand("list", "Built-in experiments, subjects and load engines") {
    override fun run() {
        echo("Experiments ($COMMAND plan NAME, $COMMAND run NAME)")
        home.experiments().forEach { echo(row(it, described(it))) }
        echo("\nSubjects (subject: NAME in an experiment)")
        home.subjects().forEach { echo(row(it.name, it.styles.joinToString("  ") { style -> style.path })) }
        echo("\nLoad engines")
        engines().forEach { echo(row(it.name, it.description)) }
    }

    private fun described(name: String): String = try {
        home.experiment(name)?.let { summary(name, it) }.orEmpty()
    } catch (ambiguous: InputProblem) {
        ambiguous.message.orEmpty().replace('\n', ' ')
    }

    private fun summary(name: String, file: Path): String {
        val surroundings = Surroundings(
            home.subjects(),
            engines().map { it.kind },
            include = { other -> home.experiment(other)?.let { readInput(it, it.name, LARGEST_YAML) } },
            data = { findData(home, file, it) },
        )
        return when (val read = readPlan(file.name, readInput(file, file.name, LARGEST_YAML), surroundings)) {
            is Read.Sound -> "${read.value.experiment.question} (${read.value.cells.let { plural(it.size, nounOf(it)) }})"
            is Read.Unsound -> "has problems; $COMMAND plan $name says which"
        }
    }

    private fun row(name: String, text: String) = "  ${name.padEnd(16)} $text"
}
