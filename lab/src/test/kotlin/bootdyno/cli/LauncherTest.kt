package bootdyno.cli

import bootdyno.CHECKOUT
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

/** The scripts that start Boot Dyno, without starting it. */
class LauncherTest(@param:TempDir private val folder: Path) {
    /** What `sh` prints for [script], with [environment] and the path only. */
    private fun shell(script: String, vararg environment: Pair<String, String>): String {
        val builder = ProcessBuilder("sh", "-euc", script).directory(CHECKOUT.toFile()).redirectErrorStream(true)
        builder.environment().run {
            keys.retainAll(setOf("PATH"))
            putAll(environment)
        }
        return builder.start().inputReader().readText().trim()
    }

    @Test
    fun `a JDK is found without a home folder`() {
        // A service has none.
        val jdk = folder.resolve("jdk").also { it.resolve("bin").createDirectories() }
        jdk.resolve("release").writeText("JAVA_VERSION=\"25.0.1\"\n")
        Files.createFile(jdk.resolve("bin/javac")).toFile().setExecutable(true)
        shell(". ./find-jdk.sh; PATH=/usr/bin:/bin:$jdk/bin; find_jdk 25; echo \"found: \$JAVA_HOME\"") shouldContain "found: "
        shell(". ./find-jdk.sh; find_jdk 99 || :", "SDKMAN_DIR" to "$folder") shouldContain "needs a JDK 99 or newer"
    }

    @Test
    fun `the collector of the shell is not contradicted`() {
        val flags = ". ./launch.sh; echo \"\$flags\""
        shell(flags) shouldContain "-XX:+UseSerialGC"
        shell(flags, "JAVA_TOOL_OPTIONS" to "-Dx=1 -XX:+UseStringDeduplication") shouldContain "-XX:+UseSerialGC"
        listOf("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS").forEach {
            shell(flags, it to "-XX:+UseG1GC") shouldNotContain "-XX:+Use"
        }
        shell(flags, "JAVA_TOOL_OPTIONS" to "-XX:+UseZGC") shouldBe shell(flags).substringAfter(' ')
    }
}
