package bootdyno.probe

import bootdyno.system.findOnPath
import bootdyno.system.runShortly
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledOnOs
import org.junit.jupiter.api.condition.OS
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import javax.management.remote.JMXConnectorFactory
import javax.management.remote.JMXServiceURL
import kotlin.io.path.name
import kotlin.io.path.readLines

/** A JVM that is read over JMX has a port open on this machine for it. */
@EnabledOnOs(OS.LINUX)
class JmxAccessTest {
    @Test
    fun `another user can neither attach nor find the connection`() {
        assumeTrue(System.getProperty("user.name") == "root" && findOnPath("setpriv") != null) {
            "only root can become another user"
        }
        val subject = TinySubject.start()
        try {
            JvmConnection.attach(subject.pid()).use {
                val jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd")
                val nobody = listOf("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")
                runShortly(listOf("$jcmd", "${subject.pid()}", "VM.version")).shouldNotBeNull().succeeded shouldBe true
                runShortly(nobody + listOf("$jcmd", "${subject.pid()}", "VM.version")).shouldNotBeNull().succeeded shouldBe false

                // The port is there for who knows the connector's number, which is random; no registry names it.
                val ports = listeningPorts(subject.pid()).also { it.shouldNotBeEmpty() }
                ports.forEach { port ->
                    shouldThrow<IOException> {
                        JMXConnectorFactory.connect(JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:$port/jmxrmi"))
                    }
                }
            }
        } finally {
            subject.destroyForcibly().waitFor()
        }
    }

    private fun listeningPorts(pid: Long): List<Int> {
        val sockets = Files.newDirectoryStream(Path.of("/proc/$pid/fd")).use { open ->
            open.mapNotNull { runCatching { Files.readSymbolicLink(it).name }.getOrNull() }
        }.filter { it.startsWith("socket:[") }.map { it.removePrefix("socket:[").removeSuffix("]") }
        return listOf("/proc/net/tcp", "/proc/net/tcp6").flatMap { Path.of(it).readLines().drop(1) }
            .map { it.trim().split(Regex("\\s+")) }.filter { it[3] == "0A" && it[9] in sockets }
            .map { it[1].substringAfterLast(':').toInt(16) }
    }
}
