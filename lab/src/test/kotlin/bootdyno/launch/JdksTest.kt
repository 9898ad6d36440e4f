package bootdyno.launch

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import java.nio.file.Path

class JdksTest {
    private val own = Runtime.version().feature()

    @Test
    fun `a version is a small number, everything else a path or a command`() {
        listOf("8", "17", "25").forEach { isJavaVersion(it) shouldBe true }
        listOf("", "0", "017", "21.0.2", "java", "/opt/jdk-21").forEach { isJavaVersion(it) shouldBe false }
    }

    @Test
    fun `the JDK of a version is found on this machine, our own for its version`() {
        jdkHome("$own").shouldNotBeNull() shouldBe Path.of(System.getProperty("java.home"))
        javaRuntime("$own").feature shouldBe own
        javaVersion("$own") shouldBe own
    }

    @Test
    fun `a version that is not there is refused with those that are`() {
        val refused = shouldThrow<LaunchFailed> { javaRuntime("7") }
        refused.reason shouldContain "There is no JDK 7 in the usual folders of this machine"
        refused.reason shouldContain "$own"
    }
}
