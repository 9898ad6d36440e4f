package bootdyno

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.extension
import kotlin.io.path.invariantSeparatorsPathString
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/**
 * Who may mention whom. It is the architecture of docs/design.md; a new arrow is a decision, made here. A room is a package that holds
 * source files; rooms inside rooms (`launch.docker`) are rooms of their own.
 */
private val SYSTEM = setOf("system", "system.limits", "system.socket", "system.network", "system.ledger")

/** Every package of `engines/`; none mentions another, but for what fetches their programs. */
private val LOAD_ENGINES: List<String> =
    CHECKOUT.resolve("engines/src/main/kotlin/bootdyno/engines").listDirectoryEntries().map { it.name } - "fetch"

private val ARROWS: Map<String, Set<String>> = mapOf(
    // model, plan, judge
    "model" to emptySet(),
    "catalogue" to setOf("model"),
    "rules" to setOf("model"),
    "schedule" to setOf("model", "catalogue"),
    "yaml" to setOf("model"),
    "keys" to setOf("model", "yaml"),
    "plan" to setOf("model", "schedule", "yaml", "keys"),
    "flags" to setOf("model", "catalogue", "yaml", "keys", "plan"),
    "imports" to setOf("model", "yaml", "keys"),
    "stats" to emptySet(),
    "analyse" to setOf("model", "stats"),
    "occupancy" to setOf("model", "catalogue"),
    "explain" to setOf("model", "catalogue", "analyse", "occupancy", "stats"),
    "profile" to setOf("model"),
    "report" to setOf("model", "catalogue", "analyse", "explain", "occupancy", "profile", "stats"),
    "report.format" to setOf("report", "model", "analyse", "explain", "stats"),
    // system
    "system" to emptySet(),
    "system.limits" to setOf("system"),
    "system.socket" to setOf("system"),
    "system.network" to setOf("system"),
    "system.ledger" to setOf("system", "system.limits", "system.network"),
    // engine
    "engine" to setOf("model", "system"),
    "engine.netty" to setOf("engine", "model", "system", "system.socket"),
    // engines
    "engines.fetch" to setOf("engine", "system"),
    // lab
    "launch.http" to SYSTEM + setOf("engine", "engine.netty", "model"),
    "launch" to SYSTEM + "launch.http" + "model",
    "launch.prepare" to SYSTEM + "launch" + "model",
    "launch.docker" to SYSTEM + setOf("launch", "launch.http", "launch.prepare", "model"),
    "database" to SYSTEM + setOf("launch", "launch.docker", "launch.prepare", "model"),
    "compose" to SYSTEM + setOf("launch", "launch.docker", "launch.prepare", "model"),
    "probe" to SYSTEM + "model",
    "diagnose" to SYSTEM + setOf("model", "catalogue", "probe"),
    "dumps" to setOf("model", "catalogue", "diagnose"),
    "store" to SYSTEM + "model",
    "run" to SYSTEM + setOf("engine", "launch", "launch.prepare", "model", "rules", "schedule", "probe", "store"),
    "measure" to SYSTEM + setOf("model", "yaml", "analyse", "occupancy", "engine") + LOAD_ENGINES.map { "engines.$it" } +
        setOf("launch", "launch.docker", "launch.prepare", "database", "compose", "probe", "diagnose", "store", "run"),
    "cli" to
        SYSTEM +
        setOf("model", "catalogue", "yaml", "keys", "plan", "flags", "schedule", "imports") +
        setOf("stats", "analyse", "explain", "report", "report.format") +
        setOf("engine", "engine.netty") +
        setOf("launch", "launch.docker", "launch.prepare", "database", "compose", "probe", "diagnose", "dumps") +
        setOf("store", "run", "measure"),
    // kubernetes
    "cluster" to SYSTEM + setOf("model", "store"),
    "kubernetes" to setOf("cli", "cluster", "measure", "model", "plan", "store", "system"),
    // bench
    "bench" to SYSTEM + setOf("model", "flags", "stats", "analyse", "engine", "engines.wrk", "launch", "run", "store") +
        setOf("measure", "cli"),
) + LOAD_ENGINES.associate { "engines.$it" to setOf("engine", "engines.fetch", "model", "system") }

private val MODULES = mapOf(
    "model" to setOf("model", "catalogue", "stats"),
    "plan" to setOf("rules", "schedule", "yaml", "keys", "plan", "flags", "imports"),
    "judge" to setOf("analyse", "occupancy", "explain", "profile", "report", "report.format"),
    "system" to SYSTEM,
    "engine" to setOf("engine", "engine.netty"),
    "engines" to (LOAD_ENGINES + "fetch").map { "engines.$it" }.toSet(),
    "lab" to
        setOf("launch", "launch.http", "launch.prepare", "launch.docker") +
        setOf("database", "compose", "probe", "diagnose", "dumps", "store", "run", "measure", "cli"),
    "kubernetes" to setOf("cluster", "kubernetes"),
    "bench" to setOf("bench"),
)

/** They decide and do nothing; [PurityTest] reads them. */
internal val PURE: Set<String> = listOf("model", "plan", "judge").flatMap { MODULES.getValue(it) }.toSet()

class RoomsTest {
    private val sources: List<Source> = MODULES.keys.flatMap { sourcesOf(CHECKOUT.resolve(it)) }

    @Test
    fun `every room is declared and stands in its module`() {
        MODULES.forEach { (module, rooms) ->
            sourcesOf(CHECKOUT.resolve(module)).map { it.room }.distinct() shouldContainExactlyInAnyOrder rooms
        }
        MODULES.values.flatten() shouldContainExactlyInAnyOrder ARROWS.keys
    }

    @Test
    fun `no room mentions a room outside its arrows`() {
        sources.flatMap(::forbiddenMentions).shouldBeEmpty()
    }

    @Test
    fun `arrows form no cycle`() {
        cycle(ARROWS) shouldBe null
    }

    @Test
    fun `only one room starts processes`() {
        sources.flatMap(::startedProcesses).shouldBeEmpty()
    }

    @Test
    fun `a name of a class has one meaning in the whole program`() {
        declaredTwice(sources).shouldBeEmpty()
    }

    @Test
    fun `subjects and the lab know nothing of each other`() {
        subjectSources().filter { file -> mentions(file.readText()).isNotEmpty() }.shouldBeEmpty()
        sources.filter { "bootdyno.subjects" in it.text }.map { it.file }.shouldBeEmpty()
    }

    @Test
    fun `a planted violation trips each rule, also in a room inside a room`() {
        forbiddenMentions(Source("stats", "Mean.kt", "import bootdyno.model.Trial")) shouldContainExactly
            listOf("stats/Mean.kt mentions model")
        forbiddenMentions(Source("launch", "Start.kt", "val x = bootdyno.probe.ProcProbe()")) shouldContainExactly
            listOf("launch/Start.kt mentions probe")
        forbiddenMentions(Source("launch", "Start.kt", "import bootdyno.launch.docker.Images")) shouldContainExactly
            listOf("launch/Start.kt mentions launch.docker")
        forbiddenMentions(Source("engines.wrk", "Run.kt", "import bootdyno.engines.jmeter.JMeterRun")) shouldContainExactly
            listOf("engines.wrk/Run.kt mentions engines.jmeter")
        forbiddenMentions(Source("launch.docker", "Images.kt", "import bootdyno.launch.Start\nimport bootdyno.launch.docker.X"))
            .shouldBeEmpty()
        startedProcesses(Source("launch.docker", "Images.kt", "ProcessBuilder(words).start()")) shouldContainExactly
            listOf("launch.docker/Images.kt starts a process")
        declaredTwice(
            listOf(
                Source("stats", "Line.kt", "data class Point(val x: Double)\nclass Line {\n    private class Part\n}"),
                Source("report", "Charts.kt", "internal data class Point(val y: Int)\nclass Chart {\n    private class Part\n}"),
            ),
        ) shouldContainExactly listOf("Point: stats/Line.kt, report/Charts.kt")
        cycle(mapOf("a" to setOf("b"), "b" to setOf("c"), "c" to setOf("a"))) shouldBe listOf("a", "b", "c", "a")
    }

    private fun sourcesOf(module: Path): List<Source> {
        val root = module.resolve("src/main/kotlin/bootdyno")
        return kotlinFiles(root).map { file ->
            Source(root.relativize(file.parent).invariantSeparatorsPathString.replace('/', '.'), file.name, file.readText())
        }
    }

    private fun subjectSources() = kotlinFiles(CHECKOUT.resolve("subjects"))

    private fun kotlinFiles(root: Path): List<Path> {
        check(root.exists()) { root }
        return Files.walk(root).use { files -> files.filter { it.extension == "kt" }.toList() }
    }
}

/** A source file of a [room], `launch.docker`; the room of a file outside all of them is empty. */
private class Source(val room: String, val file: String, val text: String)

/** Mentions of rooms that the source's room may not know, in code and comments alike. */
private fun forbiddenMentions(source: Source): List<String> =
    mentions(source.text).filter { it != source.room && it !in ARROWS[source.room].orEmpty() }
        .map { "${source.room}/${source.file} mentions $it" }

/** The rooms that [text] names, each by its longest name. */
private fun mentions(text: String): List<String> = Regex("""\bbootdyno((?:\.[a-z]+)+)\b""").findAll(text).mapNotNull { match ->
    generateSequence(match.groupValues[1].drop(1)) { it.substringBeforeLast('.', "").ifEmpty { null } }.find { it in ARROWS }
}.distinct().toList()

private val DECLARATION =
    Regex("""(?m)^(?:(?:internal|public|data|sealed|enum|value|abstract|open|fun) )*(?:class|interface|object) ([A-Z]\w*)""")

/** Classes of whole rooms, each with the files that declare one of its name: a class inside of another is named after it. */
private fun declaredTwice(sources: List<Source>): List<String> = sources.flatMap { source ->
    DECLARATION.findAll(source.text).map { it.groupValues[1] to "${source.room}/${source.file}" }
}.groupBy({ it.first }, { it.second }).filterValues { it.size > 1 }.map { (name, files) -> "$name: ${files.joinToString()}" }

private fun startedProcesses(source: Source): List<String> = listOf("${source.room}/${source.file} starts a process").filter {
    source.room != "system" && "ProcessBuilder(" in source.text
}

/** The rooms of one cycle, the first again at the end; null where there is none. */
private fun cycle(arrows: Map<String, Set<String>>): List<String>? {
    fun from(path: List<String>): List<String>? = arrows[path.last()].orEmpty().firstNotNullOfOrNull { next ->
        if (next in path) path.drop(path.indexOf(next)) + next else from(path + next)
    }
    return arrows.keys.firstNotNullOfOrNull { from(listOf(it)) }
}
