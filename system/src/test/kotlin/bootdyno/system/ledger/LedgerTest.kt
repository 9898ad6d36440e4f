package bootdyno.system.ledger

import bootdyno.system.ProcStat
import bootdyno.system.bootMark
import bootdyno.system.ledger.DockerResource.Kind.CONTAINER
import bootdyno.system.ledger.DockerResource.Kind.IMAGE
import bootdyno.system.ledger.DockerResource.Kind.PROJECT
import bootdyno.system.startMark
import bootdyno.system.waitUntil
import io.kotest.assertions.throwables.shouldNotThrowAny
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.IOException
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Files
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.nio.file.attribute.PosixFilePermissions
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.readText
import kotlin.io.path.writeLines
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

class LedgerTest(@param:TempDir private val folder: Path) {
    private val started = mutableListOf<Process>()

    private fun start(vararg words: String): Process = ProcessBuilder(*words).start().also(started::add)

    /** A group that a failed test has left, too. */
    @AfterEach
    fun endWhatWasStarted() {
        started.forEach { it.destroyForcibly().waitFor() }
        Ledger(folder).cleanUpAfterTheDead()
    }

    private fun deadOwner(): Long = start("true").also { it.waitFor() }.pid()

    private fun ledger(vararg lines: String, owner: Long = deadOwner(), boot: String = bootMark()): Path =
        folder.resolve("$owner.ledger").apply { writeLines(listOf("owner $owner ticks:1 $boot", *lines)) }

    @Test
    fun `after a kill its children are ended, its group is removed and its ledger is gone`() {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val owner = start(java, "-cp", System.getProperty("java.class.path"), "bootdyno.system.ledger.LedgerOwnerKt", "$folder")
        val said = owner.inputReader().readLine().split(' ')
        val sleeper = said[0].toLong()
        val group = said[1].takeIf { it != "-" }?.let { Path.of(it) }
        Ledger(folder).cleanUpAfterTheDead().shouldBeEmpty()
        (startMark(sleeper) != null) shouldBe true

        owner.destroyForcibly().waitFor()
        (startMark(sleeper) != null) shouldBe true

        val sentences = Ledger(folder).cleanUpAfterTheDead()
        sentences[0] shouldContain "a sleeper (pid $sleeper)"
        startMark(sleeper) shouldBe null
        if (group != null) sentences.drop(1).single() shouldContain "the group ${group.name}"
        (group != null && Files.exists(group)) shouldBe false
        folder.listDirectoryEntries().shouldBeEmpty()
        Ledger(folder).cleanUpAfterTheDead().shouldBeEmpty()
    }

    @Test
    fun `a resource that is gone is no failure where that cannot be written`() {
        val ledger = Ledger(folder)
        val resource = OwnedFolder(folder.resolve("gone"))
        ledger.add(resource)
        val file = folder.listDirectoryEntries().single()
        Files.delete(file)
        Files.createDirectory(file)
        shouldNotThrowAny { ledger.forget(resource) }
        Files.delete(file)
    }

    @Test
    fun `a child that cannot be added is ended, and the failure names the file`() {
        val child = start("sleep", "60")
        val taken = folder.resolve("taken").also { it.writeText("") }
        shouldThrow<IOException> { Ledger(taken).child(child.pid(), "a sleeper") }.message shouldContain "$taken/"
        waitUntil(5.seconds) { !child.isAlive } shouldBe true
        Files.delete(taken)
    }

    @Test
    fun `a process that only has the pid of a dead child is left alone`() {
        val stranger = start("sleep", "60")
        ledger("child ${stranger.pid()} ticks:1 the subject x")
        Ledger(folder).cleanUpAfterTheDead().shouldBeEmpty()
        stranger.isAlive shouldBe true
        folder.listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `a child said farewell to is left alone, one that came later under its pid is not`() {
        val child = start("sleep", "60")
        val mark = startMark(child.pid())
        ledger("child ${child.pid()} $mark a", "child-gone ${child.pid()}")
        Ledger(folder).cleanUpAfterTheDead().shouldBeEmpty()
        child.isAlive shouldBe true
        ledger("child ${child.pid()} ticks:1 a", "child-gone ${child.pid()}", "child ${child.pid()} $mark b")
        Ledger(folder).cleanUpAfterTheDead() shouldHaveSize 1
        waitUntil(5.seconds) { !child.isAlive } shouldBe true
    }

    @Test
    fun `nothing is killed for a ledger written before the machine was started`() {
        val child = start("sleep", "60")
        ledger("child ${child.pid()} ${startMark(child.pid())} a", owner = 1, boot = "another-boot")
        Ledger(folder).cleanUpAfterTheDead().shouldBeEmpty()
        child.isAlive shouldBe true
        folder.listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `a folder that is none of our groups is never removed`() {
        val precious = Files.createDirectory(folder.resolve("precious"))
        ledger("group $precious")
        Ledger(folder).cleanUpAfterTheDead().shouldBeEmpty()
        Files.exists(precious) shouldBe true
    }

    @Test
    fun `a folder left behind is removed with all in it, a link in it is not followed, and no other folder is touched`() {
        val precious = Files.createDirectory(folder.resolve("precious")).also { it.resolve("file").writeText("x") }
        val left = Files.createDirectory(folder.resolve("boot-dyno-left")).also { it.resolve("file").writeText("x") }
        Files.createSymbolicLink(left.resolve("link"), precious)
        val gone = Files.createDirectory(folder.resolve("boot-dyno-gone"))
        // A restart of the machine removes no folder.
        ledger("folder $left", "folder $precious", "folder $gone", "folder-gone $gone", boot = "another-boot")
        Ledger(folder).cleanUpAfterTheDead().single() shouldContain "the folder $left"
        folder.listDirectoryEntries().map { it.name }.sorted() shouldContainExactly listOf("boot-dyno-gone", "precious")
        Files.exists(precious.resolve("file")) shouldBe true
    }

    @Test
    fun `a ledger with a temporary folder stays until that is removed with all in it`() {
        val ledger = Ledger(folder.resolve("ledgers"))
        val temporary = ledger.temporaryFolder("x", folder).also { it.resolve("file").writeText("x") }
        ledger.close()
        folder.resolve("ledgers").listDirectoryEntries() shouldHaveSize 1
        Ledger(folder.resolve("ledgers")).use { it.removeTemporary(temporary) }
        folder.listDirectoryEntries().map { it.name } shouldContainExactly listOf("ledgers")
        folder.resolve("ledgers").listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `a folder that cannot be removed is left to the next start`() {
        val ledger = Ledger(folder)
        // Not even root removes it.
        val fixed = OwnedFolder(Path.of("/proc/self"))
        ledger.add(fixed)
        ledger.removeTemporary(fixed.folder)
        ownedAtEnd(folder.listDirectoryEntries().single().readLines()) shouldContainExactly listOf(fixed)
    }

    @Test
    fun `a folder that cannot be read is left to the next start`() {
        val ledger = Ledger(folder)
        val temporary = ledger.temporaryFolder("x", folder)
        val closed = Files.createDirectory(temporary.resolve("closed"))
        Files.setPosixFilePermissions(closed, emptySet())
        assumeTrue(!Files.isReadable(closed)) { "root reads everything" }
        ledger.removeTemporary(temporary)
        Files.exists(closed) shouldBe true
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"))
    }

    @Test
    fun `what is left in a container engine is removed where it was, if it is ours, and tried again until it is gone`() {
        val owner = deadOwner()
        ledger(
            "image boot-dyno/app:1 ",
            "container dyno-1-1-a unix:///run/other.sock",
            "container dyno-1-2-b ",
            "container-gone dyno-1-2-b ",
            "container precious ",
            owner = owner,
            boot = "another-boot",
        )
        val asked = mutableListOf<DockerResource>()
        val said = Ledger(folder) { asked.add(it) && it.kind == IMAGE }.cleanUpAfterTheDead()
        asked shouldContainExactly
            listOf(
                DockerResource(CONTAINER, "dyno-1-1-a", "unix:///run/other.sock"),
                DockerResource(IMAGE, "boot-dyno/app:1", ""),
            )
        said shouldContainExactly listOf(
            "Could not remove the container dyno-1-1-a, left behind by Boot Dyno $owner.",
            "Removed the image boot-dyno/app:1, left behind by Boot Dyno $owner.",
        )
        folder.listDirectoryEntries() shouldHaveSize 1
        Ledger(folder) { true }.cleanUpAfterTheDead() shouldHaveSize 2
        folder.listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `an image made again under its name is left until it is removed again`() {
        val image = DockerResource(IMAGE, "boot-dyno/app:1", "")
        Ledger(folder).use {
            it.add(image)
            it.forget(image)
            it.add(image)
        }
        folder.listDirectoryEntries() shouldHaveSize 1
        Ledger(folder).use { it.forget(image) }
        folder.listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `the affairs of a dead owner with our own pid are settled before we write`() {
        val child = start("sleep", "60")
        val file = ledger("child ${child.pid()} ${startMark(child.pid())} a", owner = ProcessHandle.current().pid())
        Ledger(folder).use { it.add(OwnedGroup(Path.of("/nowhere/dyno-0-0"))) }
        waitUntil(5.seconds) { !child.isAlive } shouldBe true
        file.readText() shouldContain "group /nowhere/dyno-0-0"
    }

    @Test
    fun `a ledger closed with nothing left is gone, with something left it stays`() {
        val group = OwnedGroup(Path.of("/nowhere/dyno-0-0"))
        Ledger(folder).use {
            it.add(group)
            it.child(start("sleep", "60").pid(), "a sleeper")
            folder.listDirectoryEntries().map { file -> file.name } shouldContainExactly
                listOf("${ProcessHandle.current().pid()}.ledger")
        }
        folder.listDirectoryEntries() shouldHaveSize 1
        Ledger(folder).use {
            it.forget(group)
            it.forgetChild(started[0].pid())
        }
        folder.listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `a group is listed before it is made, and no longer when it could not be made`() {
        Ledger(folder).use { ledger ->
            val nowhere = folder.resolve("nowhere/dyno-0-0")
            shouldThrow<NoSuchFileException> { ledger.make(nowhere) }
            val file = folder.resolve("${ProcessHandle.current().pid()}.ledger")
            file.readText().lines().drop(1).filter { it.isNotEmpty() } shouldContainExactly
                listOf("group $nowhere", "group-gone $nowhere")
        }
        folder.listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `a group that another Boot Dyno has made is never listed as ours`() {
        val others = Files.createDirectory(folder.resolve("dyno-0-0"))
        Ledger(folder.resolve("ledgers")).use { shouldThrow<FileAlreadyExistsException> { it.make(others) } }
        folder.resolve("ledgers").toFile().list().orEmpty().toList().shouldBeEmpty()
        Files.exists(others) shouldBe true
    }

    @Test
    fun `a listed group that was never made is passed over`() {
        ledger("group $folder/dyno-0-0")
        Ledger(folder).cleanUpAfterTheDead().shouldBeEmpty()
        folder.listDirectoryEntries().shouldBeEmpty()
    }

    @Test
    fun `lines are read as written, and a line cut short is no line`() {
        listOf(
            OwnedChild(8, "ticks:100", "the subject tomcat (virtual)"),
            OwnedGroup(Path.of("/sys/fs/c group/dyno-7-1")),
            OwnedFolder(Path.of("/var/tmp/boot-dyno-a b")),
            DockerResource(CONTAINER, "dyno-1", ""),
            DockerResource(PROJECT, "dyno-2", "unix:///run/other.sock"),
        ).forEach {
            ownedIn(it.text) shouldBe it
            ownedAtEnd(listOf(it.text, goneLine(it.key))).shouldBeEmpty()
            ownedAtEnd(listOf(it.text, goneLine(it.key), it.text)) shouldContainExactly listOf(it)
        }
        goneLine(OwnedChild(8, "ticks:100", "x").key) shouldBe "child-gone 8"
        listOf("", "child", "child 8", "child 8 ticks:1", "gro").forEach { ownedIn(it) shouldBe null }
    }

    @Test
    fun `the start tick is field 22, whatever the command is called`() {
        // Fields 3 to 22 of proc(5): the state, then 4 … 22 numbered by their own place.
        val fields = "S " + (4..52).joinToString(" ")
        ProcStat("17 (java) $fields").startTicks shouldBe 22
        ProcStat("17 (a b) c)) $fields").startTicks shouldBe 22
        ProcStat("17 (java) Z " + (4..52).joinToString(" ")).isDead shouldBe true
    }
}
