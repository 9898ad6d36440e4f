package bootdyno.diagnose

import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.isExecutable

/** `Waiting.java` as a process of its own, run by [java]: connected to [peer], with one accepted client and one in its accept queue. */
internal class WaitingSubject(java: Path, flags: List<String> = emptyList()) : AutoCloseable {
    val peer = ServerSocket(0, 5, InetAddress.getLoopbackAddress())
    private val source = Path.of(checkNotNull(WaitingSubject::class.java.getResource("Waiting.java")).toURI())
    private val process = ProcessBuilder(
        listOf("$java") + flags + listOf("-Xmx64m", "-XX:+UseSerialGC", "$source", "${peer.localPort}"),
    )
        .redirectError(ProcessBuilder.Redirect.INHERIT).start()
    private val output = process.inputReader()
    val pid: Long = process.pid()
    val port: Int = output.readLine().toInt()
    private val clients = listOf(connect().also { check(output.readLine() == "accepted") }, connect())

    private fun connect() = Socket(InetAddress.getLoopbackAddress(), port)

    override fun close() {
        process.destroyForcibly().waitFor()
        clients.forEach { it.close() }
        peer.close()
    }
}

internal val JAVA_HERE: Path = Path(System.getProperty("java.home"), "bin", "java")

/** An older JDK with a compiler, where this machine has it. */
internal val JAVA_17: Path? = Path("/usr/lib/jvm/java-17-openjdk-amd64/bin/java").takeIf { it.isExecutable() }
