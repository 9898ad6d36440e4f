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

internal fun damageFaults(): List<Faults> = listOf("trial.json", "series.csv", "latency.hlog").flatMap { file ->
    listOf(
        damagedTrial("$file of a trial is deleted") { Files.delete(it.resolve(file)) },
        damagedTrial("$file of a trial is cut in half") {
            it.resolve(file).run { writeBytes(readBytes().copyOf(readBytes().size / 2)) }
        },
        damagedTrial("$file of a trial is garbage") { it.resolve(file).writeBytes(ByteArray(1000) { at -> (at * 37).toByte() }) },
    )
} + listOf(
    damagedTrial("series.csv of a trial is empty") { it.resolve("series.csv").writeText("") },
    damagedTrial("series.csv of a trial has the value 1e999") { replaceField(it.resolve("series.csv"), "1e999") },
    damagedTrial("series.csv of a trial has a negative value") { replaceField(it.resolve("series.csv"), "-5") },
    damagedTrial("trial.json answers a negative number of times") {
        edit(it.resolve("trial.json"), "\"answered\": ", "\"answered\": -")
    },
    damagedTrial("trial.json has a version of the future") {
        edit(it.resolve("trial.json"), "\"schemaVersion\": ", "\"schemaVersion\": 9")
    },
    damagedTrial("trial.json names an unknown cell") { edit(it.resolve("trial.json"), "\"cell\": \"", "\"cell\": \"un") },
    damagedTrial("a trial is there twice") { copy(it, it.resolveSibling("0009-copy")) },
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

/** A run of three trials, made once; each fault damages a copy of it. */
private object MeasuredRun {
    val folder: Path by lazy {
        val world = World(Files.createTempDirectory(Path.of("/tmp"), "faults-measured-"))
        Runtime.getRuntime().addShutdownHook(Thread { removeWorld(world.root) })
        world.run(SmallExperiment(listOf("good.a", "good.b", "good.c")).writtenIn(world)).exits(0)
        world.runFolder()
    }
}

/** It costs that trial only: every report says so, and resume measures it again. */
private fun damagedTrial(name: String, damage: (Path) -> Unit) = fault(KIND, name) { world ->
    copy(MeasuredRun.folder, world.runs.resolve("run"))
    val trial = world.finished().first()
    damage(trial)
    val others = FinishedTrials.of(world.finished().filterNot { it == trial || it.name == "0009-copy" })
    val json = world.dyno("report", "${world.runFolder()}", "--json").exits(1).answer()
    val silent = listOf("report.md", "report.html").filter { "damaged" !in world.runFolder().resolve(it).readText() }
    if (silent.isNotEmpty() ||
        "damaged" !in json
    ) {
        throw AssertionError("$silent or report.json do not say that something is damaged")
    }
    world.resume()
    others.assertIntact()
    "the reports list it, exit code 1; resume measured that trial again"
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
