package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.standInJar
import bootdyno.system.ledger.Ledger
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readText

/** Builds two commits of a small repository, whose "build" copies the jar that it keeps under another name. */
class CommitBuildsTest(@param:TempDir private val folder: Path) {
    private val repository = folder.resolve("repository").createDirectories()
    private val app = repository.resolve("app").createDirectories()
    private val state = folder.resolve("state")
    private val log = folder.resolve("build.log")
    private val builds = CommitBuilds(app, Ledger(state), log)

    private fun git(vararg words: String): String {
        val identity = listOf("-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false")
        val process = ProcessBuilder(listOf("git", "-C", "$repository") + identity + words).redirectErrorStream(true).start()
        return process.inputReader().readText().also { check(process.waitFor() == 0) { it } }.trim()
    }

    @BeforeEach
    fun `two commits`() {
        git("init", "--quiet", "--initial-branch=main")
        for (version in listOf("one", "two")) {
            val jar = standInJar(folder, "BOOT-INF/lib/$version.jar")
            jar.copyTo(app.resolve("app.bin"), overwrite = true)
            git("add", ".")
            git("commit", "--quiet", "--message", version)
        }
    }

    private fun jarOf(name: String, build: String = BUILD): Path =
        builds.jarOf(commitIn(app, name).shouldNotBeNull(), build, folder.resolve("kept/$name"))

    @Test
    fun `each commit is built in a worktree of its own, which is removed again`() {
        val old = jarOf("main~1")
        val new = jarOf("main")
        new.readBytes() shouldBe app.resolve("app.bin").readBytes()
        old.readBytes() shouldNotBe new.readBytes()
        listOf(old, new).map { it.name }.distinct() shouldBe listOf("orders.jar")
        nothingIsLeft()
    }

    @Test
    fun `a failed build shows its last lines, and leaves nothing`() {
        val failed = shouldThrow<LaunchFailed> { jarOf("main", "echo no such symbol; exit 7") }
        failed.reason shouldContain "(echo no such symbol; exit 7) "
        failed.lastLines.last() shouldContain "no such symbol"
        nothingIsLeft()
    }

    @Test
    fun `no executable jar, and several of them, are said by name`() {
        fun reason(build: String) = shouldThrow<LaunchFailed> { jarOf("main", build) }.reason
        reason("true") shouldContain "made no jar."
        reason("mkdir target; echo text > target/plain.jar") shouldContain "made no executable jar: app/target/plain.jar."
        reason("$BUILD; cp app.bin target/other.jar") shouldContain
            "made several executable jars: app/target/orders.jar, app/target/other.jar."
        // Wrappers of build tools keep an executable jar in a hidden folder.
        jarOf("main", "mkdir .mvn; cp app.bin .mvn/wrapper.jar; $BUILD").name shouldBe "orders.jar"
        nothingIsLeft()
    }

    @Test
    fun `a jar is kept with the libraries beside it, which are no applications of their own`() {
        val kept = jarOf("main", "$BUILD && mkdir target/lib && cp app.bin target/lib/kotlin-stdlib.jar")
        kept.name shouldBe "orders.jar"
        kept.resolveSibling("lib/kotlin-stdlib.jar").exists() shouldBe true
        nothingIsLeft()
    }

    @Test
    fun `what is no commit is none`() {
        commitIn(app, "no-such-branch") shouldBe null
        commitIn(app, "--all") shouldBe null
        commitIn(folder, "main") shouldBe null
        commitIn(app, "main").shouldNotBeNull().hash shouldBe git("rev-parse", "main")
    }

    private fun nothingIsLeft() {
        git("worktree", "list").lines() shouldHaveSize 1
        git("status", "--short") shouldBe ""
        state.listDirectoryEntries("*.ledger").flatMap { it.readText().lines() }.filter { it.startsWith("folder") }
            .filter { Path.of(it.substringAfter(' ')).toFile().exists() }.shouldBeEmpty()
    }

    private companion object {
        const val BUILD = "mkdir -p target && cp app.bin target/orders.jar"
    }
}
