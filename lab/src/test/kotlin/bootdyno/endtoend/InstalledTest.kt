package bootdyno.endtoend

import bootdyno.faults.removeWorld
import bootdyno.system.findOnPath
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.parallel.Execution
import org.junit.jupiter.api.parallel.ExecutionMode
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText

/**
 * The archive of `./build dist`, unpacked in a root file system with libc, a shell and some programs of coreutils: without JDK, Maven and git.
 * The installation is mounted read-only and belongs to another user.
 */
@Tag("endtoend")
@Tag("full")
@Execution(ExecutionMode.SAME_THREAD)
class InstalledTest {
    @Test
    fun `it starts with its own runtime and ahead-of-time cache`() {
        // The JVM exits if it cannot use the cache.
        dyno("--version", jvm = "-XX:AOTMode=on") shouldContain "Boot Dyno "
    }

    @Test
    fun `it lists and plans the built-in experiments, and names commands as they are typed`() {
        val list = dyno("list")
        list shouldContain "Experiments (dyno plan NAME, dyno run NAME)"
        list shouldNotContain "has problems"
        dyno("plan", "quick") shouldContain "Run it: dyno run quick"
    }

    @Test
    fun `doctor names the runtime of the installation and all subjects, and no command of a checkout`() {
        val said = dyno("doctor")
        said shouldContain "in $INSTALLED/runtime"
        said shouldContain "ok servlet "
        listOf("./build", "./dyno", "missing.").forEach { said shouldNotContain it }
    }

    @Test
    fun `a run measures, and its files are those of the user`() {
        val words = arrayOf("--only", "tomcat/blockingIO", "--protocol", "cold", "--diagnose", "off")
        // Where other builds take the CPUs, a start has lasted longer than the two minutes that are usual.
        val patient = "subject: { jar: $INSTALLED/subjects/servlet/target/servlet.jar, ready: /noop, ready-within: 1 h }"
        val tomcat = "variants.tomcat={ $patient, jvm: [ \"-XX:TieredStopAtLevel=1\" ] }"
        val short = arrayOf("--set", "profiles.saturate.window=2s", "--set", tomcat, "--set", "matters=100 %")
        val said = dyno("run", "quick", *words, *short, jvm = "-Ddyno.engine.cold=true")
        said shouldContain "tomcat/blockingIO"
        said shouldContain Regex("""dyno run\s+runs/""")
        said shouldNotContain "./dyno"
        val run = Files.newDirectoryStream(root.resolve("home/runs")).use { it.single() }
        run.resolve("report.html").exists() shouldBe true
        run.resolve("plan.json").readText() shouldContain "$INSTALLED/subjects/servlet/target/servlet.jar"
    }

    private companion object {
        const val INSTALLED = "/opt/boot-dyno"
        private val made: Path by lazy { Files.createTempDirectory(Path.of("/tmp"), "installed-") }
        val root: Path get() = made.resolve("root")

        /** What is printed by `dyno` with [words], as the user nobody, in the root file system of [setUp]. */
        fun dyno(vararg words: String, jvm: String = ""): String = shell(
            """
            mount --bind "$root$INSTALLED" "$root$INSTALLED"
            mount -o remount,bind,ro "$root$INSTALLED"
            mount -t proc proc "$root/proc"
            mount --rbind /dev "$root/dev"
            exec chroot --userspec=65534:65534 "$root" /bin/env -i PATH=/bin:$INSTALLED/bin HOME=/home JDK_JAVA_OPTIONS="$jvm" \
                sh -c 'cd && exec dyno "$@"' sh "$@"
            """,
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            arguments = words,
        )

        @JvmStatic
        @BeforeAll
        fun setUp() {
            assumeTrue(System.getProperty("user.name") == "root" && findOnPath("unshare") != null) {
                "root and unshare are needed"
            }
            // The archive is unpacked at once: it need not be small.
            shell("GZIP=-1 ${Path.of("..").toRealPath()}/dist/make $made")
            shell(
                """
                mkdir -p bin proc dev tmp opt home
                chmod 1777 tmp home
                tar -C opt -xzof "$made"/boot-dyno-*.tar.gz
                mv opt/boot-dyno-* .$INSTALLED
                for program in sh env dirname readlink cat ls; do cp -L "$(command -v ${'$'}program)" bin; done
                cd .$INSTALLED/runtime
                files="bin/java lib/server/libjvm.so lib/libjava.so lib/libnet.so lib/libnio.so lib/libzip.so"
                for file in "$root"/bin/* ${'$'}files; do
                    ldd "${'$'}file" || true
                done | grep -oE '/[^ ]+[.]so[^ ]*' | grep -v "^$root" | sort -u | while read -r library; do
                    mkdir -p "$root$(dirname "${'$'}library")"
                    cp -L "${'$'}library" "$root${'$'}library"
                done
                """,
            )
        }

        @JvmStatic
        @AfterAll
        fun tearDown() = removeWorld(made)

        private fun shell(script: String, vararg before: String, arguments: Array<out String> = emptyArray()): String {
            val command = before.toList() + listOf("bash", "-ec", script, "bash") + arguments
            Files.createDirectories(root)
            val process = ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true).start()
            val text = process.inputStream.readAllBytes().decodeToString()
            withClue(text) { process.waitFor() shouldBe 0 }
            return text
        }
    }
}
