package bootdyno.cli

import bootdyno.launch.prepare.UnusableJar
import bootdyno.launch.prepare.inspectJar
import bootdyno.model.EngineSpec
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Plan
import bootdyno.model.Preset
import bootdyno.model.RunPlace
import bootdyno.model.redactCommandLine
import bootdyno.plan.CONNECTIONS
import bootdyno.plan.DEFAULT_BASE_IMAGE
import bootdyno.plan.JarQuestion
import bootdyno.plan.LARGEST_YAML
import bootdyno.plan.Machine
import bootdyno.plan.Overrides
import bootdyno.plan.Planned
import bootdyno.plan.Problem
import bootdyno.plan.ROUNDS
import bootdyno.plan.experimentOfJar
import bootdyno.plan.readPlan
import bootdyno.plan.suggestion
import bootdyno.probe.environment
import com.github.ajalt.clikt.core.CliktError
import com.github.ajalt.clikt.parameters.groups.OptionGroup
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.long
import com.github.ajalt.clikt.parameters.types.restrictTo
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile

/** The flags that shape a plan; the same for `plan` and `run`. */
internal class PlanOptions : OptionGroup("What to measure") {
    val preset by option(help = "quick: 1 round, indicative · standard: 6 to 15 rounds · paper: 10 to 30")
        .choice("quick" to Preset.QUICK, "standard" to Preset.STANDARD, "paper" to Preset.PAPER)
    val rounds by option(metavar = "N", help = "Exactly N rounds; intervals need at least 2").int().restrictTo(ROUNDS)
    val only by option(
        metavar = "PATTERN",
        help = "Keep cells whose id matches, * matches anything (tomcat*/blockingIO); repeatable",
    ).multiple()
    val protocol by option(
        metavar = "NAME[,NAME]",
        help = "steady: warm · article: no warm-up, 30 s, as articles measure · cold: no warm-up; several: side by side",
    ).convert { text ->
        text.split(',').map { it.trim() }.map { measuringProtocol(it) ?: fail("$it is none of $PROTOCOL_NAMES") }
    }
        .default(emptyList())
    val engine by option(
        metavar = "NAME[=SCRIPT][,NAME…]",
        help = "Who asks: ${engines().joinToString { it.name }}; with a script of yours: jmeter=plan.jmx; several: side by side",
    ).convert { text -> text.split(',').map { it.trim() }.map { named -> engineSpec(named) ?: fail(noEngine(named)) } }
        .default(emptyList())
    val set by option(
        metavar = "KEY=VALUE",
        help = "Override a path of the experiment file (limits.cpus=2); repeatable",
    ).multiple()
    val place by option(
        "--in",
        help = "Where subjects run: process, or docker: each in a container of an image built from its jar",
    ).choice("process" to RunPlace.Process, "docker" to RunPlace.Docker(DEFAULT_BASE_IMAGE))
    val baseImage by option(
        metavar = "IMAGE",
        help = "In docker: the image to build on, with a java in it (default $DEFAULT_BASE_IMAGE)",
    )
    val seed by option(metavar = "N", help = "Seed of the order of trials and of random arrivals; recorded either way").long()
    val path by option(metavar = "PATH", help = "For a jar: the path to ask for (default /)").convert {
        if (it.startsWith("/")) it else "/$it"
    }.default("/")
    val vary by option(
        metavar = "KEY=A,B",
        help = "For a jar: a setting and the values to compare, or runtime=jar,aot-cache; repeatable",
    ).multiple()

    val connections by option(
        metavar = "N",
        help = "For a jar: connections of the closed load (default $USUAL_CONNECTIONS)",
    ).int().restrictTo(CONNECTIONS).default(USUAL_CONNECTIONS)

    /** The flags as one would type them again, each after a space; secrets are left for the reader to fill in. */
    fun asTyped(): String = buildList {
        preset?.let { add("--preset" to it.name.lowercase()) }
        rounds?.let { add("--rounds" to "$it") }
        only.forEach { add("--only" to it) }
        if (protocol.isNotEmpty()) add("--protocol" to protocol.joinToString(",") { it.word })
        if (engine.isNotEmpty()) {
            add("--engine" to engine.joinToString(",") { listOfNotNull(it.name, it.script).joinToString("=") })
        }
        set.forEach { add("--set" to it) }
        place?.let { add("--in" to if (it is RunPlace.Docker) "docker" else "process") }
        baseImage?.let { add("--base-image" to it) }
        seed?.let { add("--seed" to "$it") }
        if (path != "/") add("--path" to path)
        vary.forEach { add("--vary" to it) }
        if (connections != USUAL_CONNECTIONS) add("--connections" to "$connections")
    }.joinToString("") { (flag, value) -> " $flag ${shellWord(redactCommandLine(listOf(value)).single())}" }

    fun overrides() = Overrides(preset, rounds, protocol, engine, only, set, seed, place, baseImage)
}

private const val USUAL_CONNECTIONS = 400

private fun shellWord(text: String) =
    if (Regex("[A-Za-z0-9_./:,=@%+-]+").matches(text)) text else "'${text.replace("'", "'\\''")}'"

private fun engineSpec(text: String): EngineSpec? {
    val kind = engines().find { it.name == text.substringBefore('=') }?.kind ?: return null
    val script = text.substringAfter('=', "").ifEmpty { null } ?: return kind.spec()
    return kind.spec(Path(script).toAbsolutePath().normalize().toString())
        .takeIf { kind.scripts.any { script.endsWith(it) } }
}

private fun noEngine(text: String): String {
    val kind = engines().find { it.name == text.substringBefore('=') }?.kind
        ?: return "there is no load engine ${text.substringBefore('=')}; there are ${engines().joinToString { it.name }}"
    val takes = kind.scripts.joinToString(" or ").ifEmpty { return "${kind.name} takes no script" }
    return "a script of ${kind.name} ends in $takes"
}

private fun measuringProtocol(name: String) = MeasuringProtocol.entries.find { it.word == name }

private val PROTOCOL_NAMES = MeasuringProtocol.entries.joinToString { it.word }

/** Finds what the user named: a built-in experiment, an experiment file, or an application's jar. */
internal class PlanSource(private val home: Home, private val options: PlanOptions, private val warn: (String) -> Unit) {
    /** @throws InputProblem with every problem at once */
    fun plan(named: String): Plan {
        val planned = if (named.endsWith(".jar")) readJar(Path(named)) else readFile(fileOf(named))
        return when (planned) {
            is Planned.Sound -> planned.plan.also {
                checkScripts(it)
                planned.warnings.forEach(warn)
            }

            is Planned.Unsound -> throw InputProblem(problemsText(planned.problems))
        }
    }

    private fun checkScripts(plan: Plan) {
        val missing = plan.cells.mapNotNull { it.profile.engine.script }.distinct().filterNot { Path(it).isRegularFile() }
        if (missing.isNotEmpty()) throw InputProblem("there is no script ${missing.joinToString()}")
    }

    private fun readJar(jar: Path): Planned = try {
        experimentOfJar(
            JarQuestion(
                inspectJar(jar).copy(
                    readyPath = options.path.takeIf {
                        it != "/"
                    },
                ),
                options.path,
                options.vary,
                options.connections,
            ),
            options.overrides(),
            engines().map { it.kind },
            machine(),
        )
    } catch (unusable: UnusableJar) {
        throw InputProblem("${unusable.message}\n${unusable.hint}")
    }

    private fun readFile(file: Path): Planned {
        if (options.vary.isNotEmpty()) {
            throw InputProblem(
                "--vary is for a jar; in an experiment file write the variants down, or use --set",
            )
        }
        return readPlan(
            shown(file),
            readInput(file, shown(file), LARGEST_YAML),
            home.subjects(),
            { include(file, it) },
            options.overrides(),
            engines().map { it.kind },
            { findData(home, file, it) },
            machine(),
        ) { file.toAbsolutePath().resolveSibling(it).normalize().toString() }
    }

    private fun machine() = environment().let { Machine(it.cpus, it.memory) }

    private fun fileOf(named: String): Path = home.experiments()[named] ?: Path(named).takeIf { it.exists() }
        ?: throw InputProblem(
            "there is no experiment or file \"$named\"" + suggestion(named, home.experiments().keys)?.let { "; $it" }.orEmpty() +
                "\nname a YAML file, an application's jar, or what is built in: ${home.experiments().keys.joinToString()}",
        )

    private fun include(from: Path, named: String): String? = (
        from.resolveSibling(named).takeIf { it.exists() && !it.isDirectory() }
            ?: from.resolveSibling("$named.yaml").takeIf { it.exists() }
            ?: home.experiments()[named]
        )
        ?.let { readInput(it, shown(it), LARGEST_YAML) }

    private fun shown(file: Path): String {
        val here = Path("").toAbsolutePath()
        val full = file.toAbsolutePath().normalize()
        return if (full.startsWith(here)) here.relativize(full).toString() else full.toString()
    }
}

/** The user's plan or flags are wrong: exit code 2, nothing was started. */
class InputProblem(message: String) : CliktError(message, statusCode = ExitCode.INPUT)

/** More would scroll the first ones away. */
private const val MOST_SHOWN = 50

/** One paragraph a problem: where, what, and what to do. */
internal fun problemsText(problems: List<Problem>): String = problems.take(MOST_SHOWN).joinToString("\n") { problem ->
    val place = listOfNotNull(problem.file, problem.line, problem.column).joinToString(":")
    val path = problem.path.takeIf { it.isNotEmpty() }?.let { "$it: " }.orEmpty()
    "$place: $path${problem.message}" + problem.hint?.let { "\n    $it" }.orEmpty()
} + (if (problems.size > MOST_SHOWN) "\nand ${problems.size - MOST_SHOWN} more" else "") + "\n" +
    (if (problems.size == 1) "1 problem" else "${problems.size} problems") +
    "; nothing was started"
