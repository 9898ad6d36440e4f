package bootdyno.endtoend

import bootdyno.engine.SmallServer
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.io.path.appendText
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Runs install.sh on releases of one small archive. */
@Timeout(60)
class InstallScriptTest(@param:TempDir private val folder: Path) {
    private val home = folder.resolve("home").createDirectories()
    private val release = folder.resolve("release").createDirectories()
    private val data = home.resolve(".local/share/boot-dyno")
    private val link = home.resolve(".local/bin/dyno")
    private val archive get() = release.listDirectoryEntries("*.tar.gz").single()

    private class Said(val code: Int, val text: String)

    @Test
    fun `a release is unpacked and linked, and a second time nothing is downloaded`() {
        publish("1.0")
        install().code shouldBe 0
        started() shouldBe "This is 1.0.\n"
        archive.writeText("damaged since")
        val again = install()
        again.code shouldBe 0
        again.text shouldContain "Boot Dyno 1.0 is installed already."
        installed() shouldContainExactly listOf("1.0")
    }

    @Test
    fun `a newer release is installed beside the older one, and started`() {
        publish("1.0")
        install()
        archive.toFile().delete()
        publish("1.1")
        install().code shouldBe 0
        started() shouldBe "This is 1.1.\n"
        installed() shouldContainExactly listOf("1.0", "1.1")
    }

    @Test
    fun `a damaged archive is refused, and the older release stays`() {
        publish("1.0")
        install()
        archive.toFile().delete()
        publish("1.1")
        archive.appendText("x")
        val said = install()
        said.code shouldBe 1
        said.text shouldContain "-1.1-$PLATFORM.tar.gz is damaged: its SHA-256 is "
        started() shouldBe "This is 1.0.\n"
        installed() shouldContainExactly listOf("1.0")
    }

    @Test
    fun `a download that breaks off installs nothing`() {
        publish("1.0")
        served(afterHalf = {}) { address ->
            val said = install(address)
            said.code shouldBe 1
            said.text shouldContain "could not be downloaded"
        }
        installed().shouldBeEmpty()
        link.exists() shouldBe false
    }

    @Test
    fun `a script that is interrupted while it downloads leaves nothing`() {
        publish("1.0")
        val half = CountDownLatch(1)
        val ended = CountDownLatch(1)
        served(
            afterHalf = {
                half.countDown()
                ended.await(30, TimeUnit.SECONDS)
            },
        ) { address ->
            // A session of its own, so that the signal reaches all of it, as Ctrl-C does.
            val script = script(address, before = listOf("setsid")).start()
            half.await(30, TimeUnit.SECONDS) shouldBe true
            ProcessBuilder("kill", "-TERM", "--", "-${script.pid()}").start().waitFor() shouldBe 0
            script.waitFor()
            ended.countDown()
        }
        installed().shouldBeEmpty()
    }

    @Test
    fun `a system without releases is told so`() {
        publish("1.0")
        val programs = folder.resolve("programs").createDirectories()
        programs.resolve("uname").apply { writeText("#!/bin/sh\necho Plan9\n") }.toFile().setExecutable(true)
        val said = install(path = "$programs:${System.getenv("PATH")}")
        said.code shouldBe 1
        said.text shouldContain "Boot Dyno has no release for Plan9"
    }

    @Test
    fun `a release without an archive for this machine is told so`() {
        release.resolve("checksums_sha256.txt").writeText("0123  boot-dyno-1.0-aix-ppc.tar.gz\n")
        install().text shouldContain "has no archive for $PLATFORM."
    }

    @Test
    fun `a folder that cannot be made is named, and nothing is downloaded`() {
        publish("1.0")
        home.resolve(".local").writeText("a file")
        val said = install()
        said.code shouldBe 1
        said.text shouldContain "The folder $data cannot be written to."
        said.text shouldNotContain "Downloading"
    }

    @Test
    fun `a program of the same name that is not ours stays`() {
        publish("1.0")
        link.parent.createDirectories()
        link.writeText("mine")
        val said = install()
        said.code shouldBe 1
        said.text shouldContain "$link is there, and is not a link of Boot Dyno's."
        link.readText() shouldBe "mine"
    }

    /** A release of [version], as it is on its page. */
    private fun publish(version: String) {
        val name = "boot-dyno-$version-$PLATFORM"
        val program = folder.resolve(name).resolve("bin").createDirectories().resolve("dyno")
        program.writeText("#!/bin/sh\necho This is $version.\n")
        program.toFile().setExecutable(true)
        val pack = "tar -C $folder -czf $release/$name.tar.gz $name"
        val sum = "cd $release && (sha256sum *.tar.gz || shasum -a 256 *.tar.gz)"
        val packing = ProcessBuilder("sh", "-c", "$pack && $sum").redirectOutput(release.resolve("checksums_sha256.txt").toFile())
        packing.start().waitFor() shouldBe 0
    }

    private fun install(address: String = "file://$release", path: String = System.getenv("PATH")): Said {
        val process = script(address, path).start()
        val text = process.inputStream.readAllBytes().decodeToString()
        return Said(process.waitFor(), text)
    }

    private fun script(
        address: String,
        path: String = System.getenv("PATH"),
        before: List<String> = emptyList(),
    ): ProcessBuilder {
        val process = ProcessBuilder(before + listOf("sh", "${Path.of("..", "install.sh")}")).redirectErrorStream(true)
        process.environment().clear()
        process.environment() += mapOf("HOME" to "$home", "PATH" to path, "BOOT_DYNO_URL" to address)
        return process
    }

    /** Serves the release, but only half of its archive. */
    private fun served(afterHalf: () -> Unit, action: (String) -> Unit) {
        val server = SmallServer { exchange ->
            val bytes = release.resolve(exchange.requestURI.path.substringAfterLast('/')).readBytes()
            val isArchive = exchange.requestURI.path.endsWith(".gz")
            exchange.sendResponseHeaders(200, bytes.size.toLong())
            exchange.responseBody.write(bytes, 0, if (isArchive) bytes.size / 2 else bytes.size)
            exchange.responseBody.flush()
            if (isArchive) afterHalf()
        }
        server.use { action("${it.base}") }
    }

    private fun started(): String = ProcessBuilder("$link").start().inputStream.readAllBytes().decodeToString()

    /** All there is in the folder of releases, hidden files too. */
    private fun installed(): List<String> =
        if (data.exists()) data.listDirectoryEntries().map { it.name }.sorted() else emptyList()

    private companion object {
        val PLATFORM = (if ("Mac" in System.getProperty("os.name")) "macos" else "linux") +
            (if (System.getProperty("os.arch") == "aarch64") "-arm64" else "-x64")
    }
}
