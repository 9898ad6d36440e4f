package bootdyno.system

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.seconds

class ChildProcessTest {
    private val shell = mapOf(
        "PATH" to "/bin",
        "HOME" to "/root",
        "LC_ALL" to "C",
        "TZ" to "UTC",
        "SERVER_TOMCAT_THREADS_MAX" to "5",
        "JAVA_TOOL_OPTIONS" to "-Xmx9m",
        "https_proxy" to "http://proxy:3128",
        "DOCKER_HOST" to "unix:///x",
        "LD_PRELOAD" to "evil.so",
    )

    @Test
    fun `what is measured inherits paths, language and time zone of the shell, and nothing else`() {
        Inherited.BASIC.of(shell).keys shouldContainExactly setOf("PATH", "HOME", "LC_ALL", "TZ")
    }

    @Test
    fun `the docker command inherits the proxy as well, and what finds its engine`() {
        Inherited.DOCKER.of(shell).keys shouldContain "https_proxy"
        Inherited.DOCKER.of(shell).keys shouldContain "DOCKER_HOST"
    }

    @Test
    fun `variables of the shell that would change a JVM or an application are named`() {
        withheldVariables(shell) shouldContainExactly listOf("JAVA_TOOL_OPTIONS", "SERVER_TOMCAT_THREADS_MAX")
        val ofOthers = listOf("DATABASE_URL", "DB_HOST", "MICRONAUT_SERVER_PORT", "QUARKUS_PROFILE")
        withheldVariables((ofOthers + "EDITOR").associateWith { "x" }) shouldContainExactly ofOthers
    }

    @Test
    fun `a real child has the inherited variables, those it is given and its mark`() {
        val child = startChild(listOf("env"), mapOf("GIVEN" to "1"))
        val names = child.inputReader().readLines().map { it.substringBefore('=') }
        names shouldContain "GIVEN"
        names shouldContain CHILD_MARK
        names.forEach { it shouldBeIn Inherited.BASIC.of().keys + setOf("GIVEN", CHILD_MARK, "PWD", "SHLVL", "_") }
    }

    @Test
    fun `a child whose input is not fed finds its end`() {
        startChild(listOf("cat")).waitFor() shouldBe 0
    }

    @Test
    fun `a process that let go of its parent is found by its mark, and ended`() {
        val mark = newMark()
        startChild(listOf("sh", "-c", "setsid sleep 300 >/dev/null 2>&1 & exit 0"), mark = mark).waitFor()
        waitUntil(10.seconds) { markedBy(mark).isNotEmpty() }
        markedBy(mark).shouldNotBeEmpty()
        markedBy("${mark}0").shouldBeEmpty()
        endMarked(mark)
        markedBy(mark).shouldBeEmpty()
    }
}
