package bootdyno.cli

import bootdyno.keys.DEFAULT_BASE_IMAGE
import bootdyno.keys.PLACES
import bootdyno.keys.ROUNDS
import bootdyno.measure.engines
import bootdyno.model.DiagnosedTrials
import bootdyno.model.EngineSpec
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Preset
import bootdyno.plan.Overrides
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.long
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.clikt.parameters.types.restrictTo
import java.nio.file.Path
import kotlin.io.path.Path

/** Flags of all commands that make a plan. */
internal class PlanOptions : TypedOptions("What to measure", once = "--write-experiment") {
    val preset by option(help = "Rounds: quick 1 (no intervals), standard 3 to 15, paper 10 to 30")
        .choice(Preset.entries.associateBy { it.word })
    val rounds by option(metavar = "N", help = "Exactly N rounds. Intervals need at least 2").int().restrictTo(ROUNDS)
    val only by option(
        metavar = "PATTERN",
        help = "Only the cells with this id; * matches anything (tomcat*/blockingIO); repeatable",
    ).multiple()
    val protocol by option(
        metavar = "NAME[,NAME]",
        help = "Warm-up: steady (until warm), article (none, 30 s window, as articles do) or cold (none); several are compared",
    ).convert { text ->
        val protocols = MeasuringProtocol.entries.associateBy { it.word }
        text.split(',').map { it.trim() }.map { protocols[it] ?: fail("$it is none of ${protocols.keys.joinToString()}") }
    }.default(emptyList())
    val engine by option(
        metavar = "NAME[=SCRIPT][,NAME…]",
        help = "Load generator(s): ${engineNames()}; with your own script: jmeter=plan.jmx; several are compared",
    ).convert { text ->
        text.split(',').map { it.trim() }.map { named -> engineSpec(named) ?: fail(noEngine(named)) }
    }.default(emptyList())
    val set by option(
        metavar = "KEY=VALUE",
        help = "Override a key of the experiment file (limits.cpus=2); repeatable",
    ).multiple()
    val place by option(
        "--in",
        help = "Where subjects run: process, or docker (one container each, of an image built from the jar)",
    ).choice(PLACES)
    val baseImage by option(
        metavar = "IMAGE",
        help = "Base image for --in docker; it must contain java (default $DEFAULT_BASE_IMAGE)",
    )
    val seed by option(metavar = "N", help = "Seed of the trial order and of random arrivals; always recorded").long()
    val diagnose by option(
        help = "After the window, under load: observe what limits a cell (8 s), and change suspected limits in the running " +
            "application (at most 20 s): once per cell (default), always, off, or observe: change nothing",
    ).choice(DiagnosedTrials.entries.associateBy { it.word })
    private val fresh by option(
        help = "Start a process for each variant, also where variants differ only in sizes that can be changed while it runs",
    ).flag()
    val writeExperiment by option(
        "--write-experiment",
        metavar = "FILE",
        help = "Also write the experiment file that these flags are short for",
    ).path(canBeDir = false)

    /**
     * [keys]: `path=value` of the command itself, after those of the flags. [round]: the only one to measure. [elsewhere]: whether other machines
     * measure the rounds, each for itself.
     */
    fun overrides(keys: List<String> = emptyList(), round: RoundOf? = null, elsewhere: Boolean = false): Overrides {
        val apart = round != null || elsewhere
        val all = round?.all ?: rounds
        return Overrides(preset, all, protocol, engine, only, set + keys, seed, place, baseImage, diagnose, fresh, apart)
    }
}

private fun engineNames() = engines().joinToString { it.name }

private fun engineSpec(text: String): EngineSpec? {
    val kind = engines().find { it.name == text.substringBefore('=') }?.kind ?: return null
    val script = text.substringAfter('=', "").ifEmpty { null } ?: return kind.spec()
    return kind.spec(Path(script).toAbsolutePath().normalize().toString()).takeIf { kind.scripts.any { script.endsWith(it) } }
}

private fun noEngine(text: String): String {
    val kind = engines().find { it.name == text.substringBefore('=') }?.kind
        ?: return "there is no load engine ${text.substringBefore('=')}; there are ${engineNames()}"
    val takes = kind.scripts.joinToString(" or ").ifEmpty { return "${kind.name} takes no script" }
    return "a script of ${kind.name} ends in $takes"
}
