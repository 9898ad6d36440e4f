package bootdyno

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/** The map of who may mention whom. It is the architecture of docs/design.md; a new arrow is a decision, made here. */
private val ARROWS = mapOf(
    "model" to emptySet(),
    "plan" to setOf("model"),
    "stats" to emptySet(),
    "analyse" to setOf("model", "stats"),
    "explain" to setOf("model", "analyse", "stats"),
    "report" to setOf("model", "analyse", "explain", "stats"),
    "process" to emptySet(),
    "launch" to setOf("model", "process"),
    "load" to setOf("model", "plan", "process"),
    "database" to setOf("model", "launch", "process"),
    "probe" to setOf("model"),
    "store" to setOf("model"),
    "run" to setOf("model", "plan", "process", "launch", "load", "probe", "store"),
    "cli" to setOf("model", "plan", "stats", "analyse", "explain", "report") +
        setOf("process", "launch", "load", "probe", "store", "run", "database"),
)

private val CORE = setOf("model", "plan", "stats", "analyse", "explain", "report")

class RoomsTest {
    private val checkout: Path = generateSequence(Path.of("").toAbsolutePath()) {
        it.parent
    }.first { Files.exists(it.resolve("build")) }
    private val core = checkout.resolve("core/src/main/kotlin/bootdyno")
    private val lab = checkout.resolve("lab/src/main/kotlin/bootdyno")

    @Test
    fun `every room is declared and stands in its module`() {
        roomsOf(core) shouldContainExactlyInAnyOrder CORE
        roomsOf(lab) shouldContainExactlyInAnyOrder ARROWS.keys - CORE
    }

    @Test
    fun `every source file stands in a room`() {
        (core.listDirectoryEntries("*.kt") + lab.listDirectoryEntries("*.kt")).shouldBeEmpty()
    }

    @Test
    fun `no room mentions a room outside its arrows`() {
        (ARROWS.keys).flatMap { room ->
            sourcesOf(room).flatMap { forbiddenMentions(room, it.name, it.readText()) }
        }.shouldBeEmpty()
    }

    @Test
    fun `a forbidden mention is found wherever it hides`() {
        forbiddenMentions("stats", "Mean.kt", "import bootdyno.model.Trial") shouldContainExactly
            listOf("stats/Mean.kt mentions model")
        forbiddenMentions("launch", "Start.kt", "val x = bootdyno.probe.ProcProbe()") shouldContainExactly
            listOf("launch/Start.kt mentions probe")
        forbiddenMentions("load", "Drive.kt", "import bootdyno.plan.Schedule\nimport bootdyno.load.Lag").shouldBeEmpty()
    }

    @Test
    fun `only one room starts processes`() {
        (ARROWS.keys - "process").flatMap { room ->
            sourcesOf(room).filter { "ProcessBuilder(" in it.readText() }.map { "$room/${it.name}" }
        }.shouldBeEmpty()
    }

    @Test
    fun `subjects and the lab know nothing of each other`() {
        val subjects = Files.walk(checkout.resolve("subjects")).use { files ->
            files.filter { it.extension == "kt" }.toList()
        }
        subjects.filter { file -> ARROWS.keys.any { file.readText().contains("bootdyno.$it.") } }.shouldBeEmpty()
        ARROWS.keys.flatMap(::sourcesOf).filter { it.readText().contains("bootdyno.subjects") }.shouldBeEmpty()
    }

    private fun roomsOf(module: Path) = module.listDirectoryEntries().filter { it.isDirectory() }.map { it.name }

    private fun sourcesOf(room: String): List<Path> = Files.walk(
        (
            if (room in
                CORE
            ) {
                core
            } else {
                lab
            }
            ).resolve(room),
    ).use { files -> files.filter { it.extension == "kt" }.toList() }
}

/** Mentions in [text] of rooms that [room] may not know, found in code and comments alike. */
private fun forbiddenMentions(room: String, file: String, text: String): List<String> =
    Regex("""\bbootdyno\.([a-z]+)\b""").findAll(text)
        .map { it.groupValues[1] }
        .filter { it in ARROWS && it != room && it !in ARROWS.getValue(room) }
        .distinct()
        .map { "$room/$file mentions $it" }
        .toList()
