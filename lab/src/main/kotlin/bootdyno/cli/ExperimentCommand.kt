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
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.optional
import com.github.ajalt.clikt.parameters.groups.provideDelegate
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile

/** A command about a plan that the user names: a built-in experiment, an experiment file, or an application. */
internal abstract class ExperimentCommand(private val home: Home, name: String, about: String) : DynoCommand(name, about) {
    protected val options by PlanOptions()
    protected val application by ApplicationOptions()
    protected val hosts by HostOptions()
    protected val named by argument(
        "EXPERIMENT|JAR",
        help = "A built-in experiment (see $COMMAND list), a YAML file, or an executable jar",
    ).optional()

    protected val discovery: PathDiscovery get() = PathDiscovery(hosts.mayLoad, ::say)

    /**
     * The plan that the user named. [find] finds the paths of an application; null: nothing may be started. [machine]: the one that measures;
     * null if others do.
     * @throws InputProblem with all problems
     */
    protected fun plan(find: PathFinder?, overrides: Overrides = options.overrides(), machine: Machine? = machine()): Plan {
        val file = named?.takeUnless(::isNamedAsJar)?.let(::fileOf)
        val read = if (file == null) {
            ApplicationSource(options, application, overrides, ::say, find, machine).read(named)
        } else {
            refuseApplicationFlags()
            readPlan(shown(file), readInput(file, shown(file), LARGEST_YAML), surroundings(file, machine), overrides)
        }
        val planned = read.orRefused()
        checkScripts(planned.value)
        planned.warnings.forEach(::say)
        return planned.value
    }

    private fun checkScripts(plan: Plan) {
        val missing = plan.cells.mapNotNull { it.profile.engine.script }.distinct().filterNot { Path(it).isRegularFile() }
        if (missing.isNotEmpty()) throw InputProblem("There is no script ${missing.joinToString()}.\nCheck the path.")
    }

    private fun refuseApplicationFlags() {
        if (application.names.isEmpty()) return
        throw InputProblem(
            "An experiment file says this itself, without ${application.names.joinToString()}.\n" +
                "Declare variants, workloads and profiles in it (docs/experiment.md), or use --set. " +
                "For --import, name the application instead, and copy the workload from --write-experiment FILE.",
        )
    }

    private fun surroundings(file: Path, machine: Machine?) = Surroundings(
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
