package bootdyno.faults

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.copyToRecursively
import kotlin.io.path.deleteRecursively
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

private const val KIND = "Damaged run folders"

internal fun damageFaults(): List<Faults> = damages().chunked(TOGETHER).map(::damagedTrials) + listOf(
    refusedRun("plan.json is deleted") { Files.delete(it.resolve("plan.json")) },
    refusedRun("plan.json is cut in half") { it.resolve("plan.json").run { writeText(readText().take(500)) } },
    refusedRun("plan.json is garbage") { it.resolve("plan.json").writeBytes(ByteArray(1000) { at -> (at * 37).toByte() }) },
    refusedRun("plan.json has no cells") { edit(it.resolve("plan.json"), Regex("(?s)\"cells\": \\[.*]"), "\"cells\": []") },
    refusedRun("environment.json is deleted") { Files.delete(it.resolve("environment.json")) },
    refusedRun("environment.json is empty") { it.resolve("environment.json").writeText("") },
    refusedRun("environment.json has a version of the future") {
        edit(it.resolve("environment.json"), "\"schemaVersion\": ", "\"schemaVersion\": 9")
    },
    editedPlan(),
    changedJar(),
)

/** As many trials of one run are damaged at once. */
private const val TOGETHER = 4

/** Changes the folder of a trial; reports then list the folder [listed]. */
private class Damage(val name: String, val listed: (Path) -> String = { it.name }, val change: (Path) -> Unit)

private fun damages(): List<Damage> = listOf("trial.json", "series.csv", "latency.hlog").flatMap { file ->
    listOf(
        Damage("$file of a trial is deleted") { Files.delete(it.resolve(file)) },
        Damage("$file of a trial is cut in half") {
            it.resolve(file).run { writeBytes(readBytes().copyOf(readBytes().size / 2)) }
        },
        Damage("$file of a trial is garbage") { it.resolve(file).writeBytes(ByteArray(1000) { at -> (at * 37).toByte() }) },
    )
} + listOf(
    Damage("series.csv of a trial is empty") { it.resolve("series.csv").writeText("") },
    Damage("series.csv of a trial has the value 1e999") { replaceField(it.resolve("series.csv"), "1e999") },
    Damage("series.csv of a trial has a negative value") { replaceField(it.resolve("series.csv"), "-5") },
    Damage("trial.json answers a negative number of times") {
        edit(it.resolve("trial.json"), "\"answered\": ", "\"answered\": -")
    },
    Damage("trial.json has a version of the future") {
        edit(it.resolve("trial.json"), "\"schemaVersion\": ", "\"schemaVersion\": 9")
    },
    Damage("trial.json names an unknown cell") { edit(it.resolve("trial.json"), "\"cell\": \"", "\"cell\": \"un") },
    Damage("a trial is there twice", listed = { COPY }) { copy(it, it.resolveSibling(COPY)) },
)

private const val COPY = "0009-copy"

/** A run with one trial more than are damaged, made once; each fault damages a copy of it. */
private object MeasuredRun {
    val folder: Path by lazy {
        val world = World(Files.createTempDirectory(Path.of("/tmp"), "faults-measured-"))
        Runtime.getRuntime().addShutdownHook(Thread { removeWorld(world.root) })
        world.run(SmallExperiment(List(TOGETHER + 1) { "good.$it" }).writtenIn(world)).exits(0)
        world.runFolder()
    }
}

/** Each costs its trial only: every report lists it, and resume measures it again. */
private fun damagedTrials(damages: List<Damage>) = Faults(KIND, damages.map { it.name }) { world, outcomes ->
    val began = System.nanoTime()
    copy(MeasuredRun.folder, world.runs.resolve("run"))
    val trials = world.finished()
    val others = FinishedTrials.of(trials.drop(damages.size))
    damages.zip(trials).forEach { (damage, trial) -> damage.change(trial) }
    val json = world.dyno("report", "${world.runFolder()}", "--json").exits(1).answer()
    val reports =
        listOf("report.md", "report.html").associateWith { world.runFolder().resolve(it).readText() } + ("report.json" to json)
    world.resume()
    others.assertIntact()
    Leftovers(world).assertNone()
    damages.zip(trials).forEach { (damage, trial) ->
        outcomes.of(damage.name, began) {
            val folder = damage.listed(trial)
            val silent = reports.filterValues { "trials/$folder" !in it }.keys
            if (silent.isNotEmpty()) throw AssertionError("$silent do not list $folder")
            "the reports list it, exit code 1; resume measured that trial again"
        }
    }
}

private fun refusedRun(name: String, damage: (Path) -> Unit) = fault(KIND, name) { world ->
    copy(MeasuredRun.folder, world.runs.resolve("run"))
    val finished = FinishedTrials.of(world)
    damage(world.runFolder())
    listOf("report", "resume").forEach { command -> world.dyno(command, "${world.runFolder()}").exits(2) }
    finished.assertIntact()
    "report and resume refuse it with exit code 2"
}

private fun editedPlan() = fault(KIND, "plan.json is edited before a resume") { world ->
    copy(MeasuredRun.folder, world.runs.resolve("run"))
    world.finished().first().let { removeWorld(it) }
    val finished = FinishedTrials.of(world)
    edit(world.runFolder().resolve("plan.json"), "\"/work\"", "\"/other\"")
    world.dyno("resume", "${world.runFolder()}").exits(2).says("plan")
    finished.assertIntact()
    "resume refuses with exit code 2 and says what differs"
}

private fun changedJar() = fault(KIND, "the subject's jar is changed before a resume") { world ->
    val jar = subjectJar(world.root)
    val variants = listOf("one", "two").joinToString("\n") {
        "  $it: { subject: { jar: \"$jar\", ready: /ready }, jvm: [ \"-Ddiary=${world.diary("good.$it")}\" ] }"
    }
    val text = SmallExperiment(
        listOf("good"),
    ).text(world).replaceFirst(Regex("(?m)^  good: .*$"), Regex.escapeReplacement(variants))
    val dyno = world.run(world.file("jar.yaml", text))
    await("one trial\n${dyno.output()}") { world.finished().size == 1 }
    dyno.signal("INT")
    dyno.exits(130)
    val finished = FinishedTrials.of(world)
    val whole = jar.readBytes()
    subjectJar(world.root, comment = "another build")
    world.dyno("resume", "${world.runFolder()}").exits(2).says("jar|changed|differ")
    jar.writeBytes(whole)
    world.resume()
    finished.assertIntact()
    "resume refuses with exit code 2; with the first jar again it completes the run"
}

private fun replaceField(series: Path, value: String) {
    val lines = series.readText().lines().toMutableList()
    lines[1] =
        lines[1].split(',').toMutableList().also { it[it.indexOfLast { field -> field.isNotEmpty() }] = value }.joinToString(",")
    series.writeText(lines.joinToString("\n"))
}

private fun edit(file: Path, from: String, to: String) = edit(file, Regex(Regex.escape(from)), to)

private fun edit(file: Path, from: Regex, to: String) {
    val text = file.readText()
    check(from.containsMatchIn(text)) { "$file does not contain $from" }
    file.writeText(text.replace(from, Regex.escapeReplacement(to)))
}

@OptIn(kotlin.io.path.ExperimentalPathApi::class)
private fun copy(from: Path, to: Path) {
    if (Files.exists(to)) to.deleteRecursively()
    from.copyToRecursively(to, followLinks = false)
}
