package bootdyno.cli

import bootdyno.keys.LARGEST_YAML
import bootdyno.launch.prepare.isNamedAsJar
import bootdyno.measure.InputProblem
import bootdyno.measure.engines
import bootdyno.measure.orRefused
import bootdyno.model.Plan
import bootdyno.plan.Machine
import bootdyno.plan.Overrides
import bootdyno.plan.Surroundings
import bootdyno.plan.readPlan
import bootdyno.yaml.suggestion
import com.github.ajalt.clikt.core.CliktCommand
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.optional
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile

internal fun CliktCommand.experimentOrJar() =
    argument("EXPERIMENT|JAR", help = "A built-in experiment (see $COMMAND list), a YAML file, or an executable jar").optional()

/**
 * Reads the plan that the user named: a built-in experiment, an experiment file, or an application. [find] finds the paths of an application;
 * null: nothing may be started. [machine]: the one that measures; null if others do.
 */
internal class PlanSource(
    private val home: Home,
    private val options: PlanOptions,
    private val application: ApplicationOptions,
    private val warn: (String) -> Unit,
    private val find: PathFinder? = null,
    private val overrides: Overrides = options.overrides(),
    private val machine: Machine? = machine(),
) {
    /** @throws InputProblem with all problems */
    fun plan(named: String?): Plan {
        val read = if (named == null || isNamedAsJar(named)) {
            ApplicationSource(options, application, overrides, warn, find, machine).read(named)
        } else {
            val file = fileOf(named)
            refuseApplicationFlags()
            readPlan(shown(file), readInput(file, shown(file), LARGEST_YAML), surroundings(file), overrides)
        }
        val planned = read.orRefused()
        checkScripts(planned.value)
        planned.warnings.forEach(warn)
        return planned.value
    }

    private fun checkScripts(plan: Plan) {
        val missing = plan.cells.mapNotNull { it.profile.engine.script }.distinct().filterNot { Path(it).isRegularFile() }
        if (missing.isNotEmpty()) {
            throw InputProblem("There is no script ${missing.joinToString()}.\nCheck the path.")
        }
    }

    private fun refuseApplicationFlags() {
        if (application.names.isEmpty()) return
        throw InputProblem(
            "An experiment file says this itself, without ${application.names.joinToString()}.\n" +
                "Declare variants, workloads and profiles in it (docs/experiment.md), or use --set. " +
                "For --import, name the application instead, and copy the workload from --write-experiment FILE.",
        )
    }

    private fun surroundings(file: Path) = Surroundings(
        home.subjects(),
        engines().map { it.kind },
        machine,
        include = { named -> extended(file, named)?.let { readInput(it, shown(it), LARGEST_YAML) } },
        data = { findData(home, file, it) },
        resolve = { named, path ->
            val from = if (named == shown(file)) file else extended(file, named) ?: file
            from.toAbsolutePath().resolveSibling(path).normalize().toString()
        },
    )

    private fun fileOf(named: String): Path = home.experiment(named) ?: Path(named).takeIf { it.exists() }
        ?: throw InputProblem(
            "There is no experiment or file `$named`.\n" +
                suggestion(named, home.experiments(), "Experiments").orEmpty().replaceFirstChar(Char::uppercase) +
                "\nOr name a YAML file or the jar of an application.",
        )

    private fun extended(from: Path, named: String): Path? =
        from.resolveSibling(named).takeIf { it.exists() && !it.isDirectory() }
            ?: from.resolveSibling("$named.yaml").takeIf { it.exists() }
            ?: home.experiment(named)

    private fun shown(file: Path): String {
        val here = Path("").toAbsolutePath()
        val full = file.toAbsolutePath().normalize()
        return if (full.startsWith(here)) here.relativize(full).toString() else full.toString()
    }
}
