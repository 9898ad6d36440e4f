package bootdyno.subjects.person.contract

import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse.BodyHandlers
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.TimeUnit
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource.Monotonic

data class Answer(val status: Int, val contentType: String?, val body: String)

/** The jar of [subject] as a process of its own, as it is measured; ready when made. */
class SubjectProcess(subject: DatabaseSubject, database: TestDatabase) : AutoCloseable {
    private val log: Path = Files.createTempFile("${subject.name.lowercase()}-", ".log")
    private val port = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    private val child: Process

    init {
        check(subject.jar.exists()) { "${subject.jar} is missing; ./build makes it" }
        val java = ProcessHandle.current().info().command().orElse("java")
        val flags = listOf("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dserver.port=$port")
        val builder = ProcessBuilder(listOf(java) + flags + listOf("-jar", "${subject.jar}"))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
        builder.environment().putAll(database.environment)
        child = builder.start()
        try {
            awaitReady()
        } catch (late: IllegalStateException) {
            close()
            throw late
        }
    }

    fun ask(method: String, path: String, body: String? = null): Answer {
        val request = HttpRequest.newBuilder(URI("http://127.0.0.1:$port$path"))
            .timeout(Duration.ofSeconds(20))
            .method(method, body?.let { BodyPublishers.ofString(it) } ?: BodyPublishers.noBody())
        if (body != null) request.header("Content-Type", "application/json")
        val answer = client.send(request.build(), BodyHandlers.ofString())
        return Answer(answer.statusCode(), answer.headers().firstValue("content-type").orElse(null), answer.body())
    }

    override fun close() {
        client.shutdownNow()
        child.destroy()
        if (!child.waitFor(10, TimeUnit.SECONDS)) child.destroyForcibly().waitFor()
        log.deleteIfExists()
    }

    private fun awaitReady() {
        val ready = eventually(120.seconds) {
            check(child.isAlive) { "the subject ended with exit code ${child.exitValue()}:\n${log.readText()}" }
            try {
                ask("GET", "/person").status == 200
            } catch (_: IOException) {
                false
            }
        }
        check(ready) { "the subject did not answer within 120 s:\n${log.readText()}" }
    }
}

/** Looks until [condition] holds; false when it did not [within] that time. */
fun eventually(within: kotlin.time.Duration, condition: () -> Boolean): Boolean {
    val deadline = Monotonic.markNow() + within
    while (!condition()) {
        if (deadline.hasPassedNow()) return false
        Thread.onSpinWait()
        java.util.concurrent.locks.LockSupport.parkNanos(20_000_000)
    }
    return true
}
