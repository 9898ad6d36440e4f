package bootdyno.cli

import bootdyno.launch.standInJar
import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.core.GroupableOption
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.assertions.withClue
import io.kotest.matchers.maps.shouldContainKey
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** No flag that decides what is measured is ignored without a word: each changes the plan or is refused, and is said again. */
class FlagsTest(@param:TempDir private val folder: Path) {
    private val file = folder.resolve("two.yaml").also {
        it.writeText(
            """
            title: Two
            variants: { a: { subject: { url: "http://192.0.2.7" } }, b: { subject: { url: "http://192.0.2.8" } } }
            workloads: { noop: { get: / } }
            profiles: { few: { closed: 4 } }
            """.trimIndent(),
        )
    }
    private val body = folder.resolve("compose.yaml").also { it.writeText("services: {}") }
    private val jar =
        standInJar(folder.resolve("jar").createDirectories(), "BOOT-INF/lib/spring-boot-4.1.0.jar", name = "app.jar")
    private val written = folder.resolve("written.yaml")

    /** Each flag with a value that is not its default. */
    private val samples = mapOf(
        "--preset" to "paper", "--rounds" to "3", "--only" to "*b*", "--protocol" to "cold", "--engine" to "wrk",
        "--set" to "title=Other", "--in" to "docker", "--base-image" to "jre:25", "--seed" to "7", "--diagnose" to "always",
        "--write-experiment" to "${folder.resolve("other.yaml")}", "--command" to "./serve", "--image" to "shop:1",
        "--url" to "http://127.0.0.1:1", "--java" to "21", "--jvm" to "-Xss1m", "--env" to "A=1", "--setting" to "c=1",
        "--ready" to "/up", "--ready-within" to "5 min",
        "--https" to "", "--http" to "2", "--compose" to "$body", "--design" to "one-at-a-time",
        "--import" to "$body", "--import-host" to "shop.test", "--path" to "/y", "--request" to "POST /orders 201",
        "--vary" to "d=1,2", "--connections" to "50", "--i-may-load" to "192.0.2.7", "--full" to "",
        "--fresh" to "", "--working-directory" to "$folder",
    )

    private val command = dyno(Home(folder))

    private fun flags(name: String, group: String? = null): List<String> =
        command.registeredSubcommands().single { it.commandName == name }.registeredOptions()
            .filter { group == null || (it as? GroupableOption)?.parameterGroup?.groupName == group }.flatMap { it.names } -
            listOf("--help", "-h")

    private fun planned(vararg words: String): CliktCommandTestResult {
        written.deleteIfExists()
        return command.test(listOf("plan", "--write-experiment=$written") + words)
    }

    private fun text(result: CliktCommandTestResult): String =
        result.output.lines().filterNot { it.startsWith("Run it: ") }.joinToString("\n") +
            if (written.exists()) written.readText() else "nothing written"

    /** Those of [flags] that are refused beside [words]; any other must change the plan, and be said again. */
    private fun refused(flags: List<String>, vararg words: String): List<String> {
        val before = text(planned(*words).also { it.statusCode shouldBe ExitCode.FINE })
        return flags.filter { isRefused(it, before, *words) }
    }

    private fun isRefused(flag: String, before: String, vararg words: String): Boolean =
        withClue("$flag beside ${words.first()}") {
            samples shouldContainKey flag
            val given = listOf(flag, samples.getValue(flag)).filter { it.isNotEmpty() }.joinToString("=")
            val result = planned(*words, given)
            if (result.statusCode == ExitCode.FINE) {
                text(result) shouldNotBe before
                if (flag !in AT_ONCE) result.output.lines().single { it.startsWith("Run it: ") } shouldContain flag
            } else {
                result.statusCode shouldBe ExitCode.INPUT
            }
            result.statusCode != ExitCode.FINE
        }

    @Test
    fun `beside an experiment file each flag acts, or is refused if it is about an application`() {
        refused(flags("plan"), "$file") shouldBe
            flags("plan").filter { it in flags("plan", "Your application") || it in listOf("--in", "--base-image") }
    }

    @Test
    fun `beside a jar each flag acts, or is refused`() {
        val words = arrayOf("$jar", "--path=/x", "--vary=a=1,2", "--vary=b=1,2")
        refused(flags("plan") - "--i-may-load", *words) shouldBe
            listOf("--base-image", "--command", "--image", "--url", "--import", "--import-host")
    }

    @Test
    fun `flags about pods are refused without pods`() {
        val ofPods = flags("run", "On Kubernetes") - "--on"
        val values = mapOf("--nodes" to "2", "--pod-cpus" to "2", "--pod-memory" to "4Gi", "--pod-template" to "$file")
        ofPods.forEach { flag ->
            val given = if (flag == "--dry-run") flag else "$flag=${values[flag] ?: "name"}"
            command.test(listOf("run", "$file", given)).stderr shouldContain "$flag only has an effect with --on kubernetes"
        }
    }

    private companion object {
        /** What they do is done when the plan is shown. */
        val AT_ONCE = listOf("--full", "--write-experiment")
    }
}
