package bootdyno.launch.docker

import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

/** The Dockerfile of Boot Dyno with a real engine, a small base image, and an archive whose program says who runs it where. */
internal class OwnDockerfileTest(@param:TempDir private val folder: Path) : InEngine(folder) {
    @Test
    fun `the image runs dyno as a user without rights, and any user may write to its folders`() {
        listOf("Dockerfile", ".dockerignore").forEach { Path.of("..", it).copyTo(folder.resolve(it)) }
        val archive = folder.resolve("dist/target").createDirectories().resolve("boot-dyno-1.0-linux-x64.tar.gz")
        val program = folder.resolve("boot-dyno-1.0-linux-x64/bin").createDirectories().resolve("dyno")
        program.writeText("#!/bin/sh\ntouch made \"\$HOME/made\" && echo \"user \$(id -u) in \$PWD: \$*\"\n")
        program.toFile().setExecutable(true, false)
        ProcessBuilder("tar", "-C", "$folder", "-czf", "$archive", "boot-dyno-1.0-linux-x64").start().waitFor() shouldBe 0
        engine.importImage(BASE) { listOf("mkdir", "ln", "chmod", "touch", "id").forEach { program(it) } }
        asked("build", "--network", "host", "--build-arg", "BASE=$BASE", "--tag", IMAGE, "$folder")
        asked("run", "--rm", "--network", "host", IMAGE, "plan", "quick") shouldBe "user 10001 in /work: plan quick"
        asked("run", "--rm", "--network", "host", "--user", "4711:0", IMAGE, "list") shouldBe "user 4711 in /work: list"
    }

    private fun asked(vararg words: String): String {
        val said = engine.cli.ask(*words)
        withClue(said.output) { said.succeeded shouldBe true }
        return said.output.trim()
    }

    private companion object {
        const val BASE = "dyno-test:coreutils"
        const val IMAGE = "dyno-test:dyno"
    }
}
