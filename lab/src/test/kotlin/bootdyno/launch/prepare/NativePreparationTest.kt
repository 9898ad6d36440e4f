package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Placement
import bootdyno.launch.SubjectLauncher
import bootdyno.launch.jarCell
import bootdyno.launch.standInJar
import bootdyno.model.Artifact
import bootdyno.model.RuntimeForm
import bootdyno.model.Variant
import bootdyno.system.availableCpus
import bootdyno.system.findOnPath
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.Unconfined
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.seconds

/** Without a GraalVM: what is built here is an executable that is no JVM, by a tool that is no native-image but is asked as one. */
class NativePreparationTest(@param:TempDir private val folder: Path) {
    private val ledger = Ledger(folder.resolve("ledgers"))
    private val all = Placement(availableCpus(), availableCpus(), shared = true)
    private val log = folder.resolve("preparation.log")
    private val variant = Variant("v", "app", runtime = RuntimeForm.NATIVE)

    private fun executable(path: Path, script: String): Path {
        Files.createDirectories(path.parent)
        path.writeText(script)
        path.toFile().setExecutable(true)
        return path
    }

    private fun preparations(tool: Path?) = Preparations(folder.resolve("prepared"), all, ledger) {
        tool?.let { InstalledNativeImage(it, ledger) } ?: throw MissingHere(NO_NATIVE_IMAGE)
    }

    private fun bootJar() = standInJar(
        folder,
        "BOOT-INF/lib/spring-boot-jarmode-tools-4.jar",
        "BOOT-INF/classes/App__ApplicationContextInitializer.class",
        NATIVE_ARGUMENTS,
    )

    /** Writes a server in Perl where it is told to by `-o`. */
    private fun builder() = executable(
        folder.resolve("graal/bin/native-image"),
        """
        #!/bin/sh
        echo "building: $*"
        while [ "${'$'}1" != -o ]; do shift; done
        cat > "${'$'}2" <<'PERL'
        #!/usr/bin/perl
        use IO::Socket::INET;
        my (${'$'}port) = map { /^-Dserver.port=(\d+)/ } @ARGV;
        print "Started App in 0.031 seconds (process running for 0.04)\n"; ${'$'}| = 1; print "as @ARGV\n";
        my ${'$'}server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => ${'$'}port, Listen => 10, ReuseAddr => 1) or die;
        while (my ${'$'}client = ${'$'}server->accept()) {
            my (${'$'}asked) = (<${'$'}client> =~ m{\?(\S*)});
            while (<${'$'}client>) { last if /^\r?${'$'}/ }
            my ${'$'}body = "hello ${'$'}asked";
            print ${'$'}client "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " . length(${'$'}body) . "\r\nConnection: close\r\n\r\n${'$'}body";
            close ${'$'}client;
        }
        PERL
        chmod +x "${'$'}2"
        """.trimIndent(),
    )

    @Test
    fun `an executable is built with the words native-image knows, and then answers without a JVM`() {
        assumeTrue(findOnPath("perl") != null, "needs perl")
        val cell = jarCell(bootJar(), variant.copy(jvm = listOf("-Xmx64m", "-Da.b=c")))
        val work = preparations(builder()).of(cell).shouldBeInstanceOf<Preparation.Work>()
        (work is Preparation.TrainedWork) shouldBe false
        work.make(log)
        val prepared = work.prepared()
        val found = prepared.found.shouldNotBeNull()
        found.steps.map { it.name }.shouldContainExactly("extract", "native-image")
        found.shipped shouldBe found.sizes[Artifact.EXECUTABLE]

        SubjectLauncher(Unconfined(), all, ledger).start(cell, folder.resolve("subject.log"), prepared).use {
            it.awaitReady("/hello", 60.seconds).seconds.shouldNotBeNull()
            it.verify(cell.workload)
            it.startupAsLogged() shouldBe 0.031
            it.lastLogLines() shouldContain "as -Xmx64m -Da.b=c -Dserver.address=127.0.0.1 -Dserver.port=${it.base.port}"
        }
    }

    @Test
    fun `without a native-image it is not run, and the reason says how to get one`() {
        val missing = shouldThrow<MissingHere> { preparations(null).of(jarCell(bootJar(), variant)) }
        missing.reason shouldContain "No native-image was found"
        missing.reason shouldContain "GRAALVM_HOME"
    }

    @Test
    fun `a build that fails says so with native-image's last words`() {
        val broken =
            executable(folder.resolve("graal/bin/native-image"), "#!/bin/sh\necho Error: Main entry point not found\nexit 20\n")
        val work = preparations(broken).of(jarCell(bootJar(), variant)).shouldBeInstanceOf<Preparation.Work>()
        val failure = shouldThrow<LaunchFailed> { work.make(log) }
        failure.reason shouldBe "native-image of app.jar ended with exit code 20."
        failure.lastLines.shouldContainExactly("Error: Main entry point not found")
    }

    @Test
    fun `a jar that was not processed ahead of time cannot become an executable`() {
        val jar = standInJar(folder, "BOOT-INF/lib/spring-boot-jarmode-tools-4.jar")
        shouldThrow<LaunchFailed> { preparations(builder()).of(jarCell(jar, variant)) }.reason shouldContain "process-aot"
    }

    @Test
    fun `the arguments are the build's own, every library, the main class and where to put it`() {
        val lib = Files.createDirectories(folder.resolve("out/lib"))
        listOf("b.jar", "a.jar", "notes.txt").forEach { Files.createFile(lib.resolve(it)) }
        val from = Extraction(folder.resolve("out/app.jar"), folder.resolve("out"), emptyList())
        nativeArguments(Path.of("/argfile"), from, "a.AppKt", Path.of("/app")).shouldContainExactly(
            "@/argfile",
            "--no-fallback",
            "-o",
            "/app",
            "-cp",
            "$folder/out/app.jar:$lib/a.jar:$lib/b.jar",
            "a.AppKt",
        )
    }

    @Test
    fun `native-image is looked for by GRAALVM_HOME, then on the path, then among SDKMAN's JDKs`() {
        fun tool(under: String) = executable(folder.resolve("$under/native-image"), "#!/bin/sh\n")
        val home = folder.resolve("home")
        nativeImage(emptyMap(), home) shouldBe null
        val old = tool("home/.sdkman/candidates/java/24-graal/bin")
        nativeImage(emptyMap(), home) shouldBe old
        val new = tool("home/.sdkman/candidates/java/25-graal/bin")
        nativeImage(emptyMap(), home) shouldBe new
        val current = tool("home/.sdkman/candidates/java/current/bin")
        nativeImage(emptyMap(), home) shouldBe current
        val onPath = tool("bin")
        nativeImage(mapOf("PATH" to "/nowhere:${onPath.parent}"), home) shouldBe onPath
        val graal = tool("graal/bin")
        nativeImage(mapOf("PATH" to "${onPath.parent}", "GRAALVM_HOME" to "${graal.parent.parent}"), home) shouldBe graal
        nativeImage(mapOf("GRAALVM_HOME" to "/nowhere", "SDKMAN_DIR" to "/nowhere"), home) shouldBe null
    }
}
