package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.engine.TruthServer
import bootdyno.engine.okAnswer
import bootdyno.engine.refusedPort
import bootdyno.model.LoadProfile
import bootdyno.model.Step
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicLong
import kotlin.io.path.createDirectory
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** JMeter's own way of spreading load: two of its servers on this machine. */
@Tag("live")
@Tag("full")
class RemoteEnginesTest {
    @TempDir
    private lateinit var folder: Path

    private val log: Path get() = folder.resolve("engine.log")

    private fun order(port: Int, load: LoadProfile) = LoadOrder(
        host = "127.0.0.1",
        port = port,
        steps = listOf(Step("all", path = "/")),
        load = load,
        settle = Duration.ZERO,
        window = 30.seconds,
        timeout = 5.seconds,
    )

    @Test
    fun `two remote engines run a plan each, share generated load, and their samples are one result`() {
        JMeterForTests.engine(log)
        val asked = AtomicLong()
        val good = okAnswer("ok")
        TruthServer.start { asked.incrementAndGet().let { _ -> it.answer(good) } }.use { subject ->
            RemoteEngine.start(folder.resolve("a")).use { first ->
                RemoteEngine.start(folder.resolve("b")).use { second ->
                    val remotes = mapOf("remotes" to "127.0.0.1:${first.port},127.0.0.1:${second.port}")
                    val plan = folder.withUserFile("by-properties.jmx")
                    val own = JMeterForTests.engine(
                        log,
                        remotes + mapOf("properties.loops" to "30", "properties.threads" to "5"),
                        plan,
                    )
                    val found = own.use { it.drive(order(subject.port, LoadProfile.Closed(1))) }.found
                    // 5 threads × 30 loops on each.
                    found.answered shouldBe 300
                    found.errors shouldBe emptyMap()
                    asked.get() shouldBe 300

                    val shared = JMeterForTests.engine(log, remotes)
                    shared.use { it.drive(order(subject.port, LoadProfile.Burst(10, 20))) }.found.answered shouldBe 200
                    asked.get() shouldBe 500
                }
            }
        }
    }

    @Test
    fun `a remote engine that is not there is named`() {
        val port = refusedPort()
        val failure = shouldThrow<EngineFailed> {
            JMeterForTests.engine(log, mapOf("remotes" to "127.0.0.1:$port")).use { it.drive(order(1, LoadProfile.Burst(1, 1))) }
        }
        failure.message.shouldNotBeNull() shouldContain "127.0.0.1:$port"
    }
}

/** A `jmeter-server` on the loopback; closing it ends it. */
private class RemoteEngine private constructor(private val process: Process, val port: Int) : AutoCloseable {
    override fun close() {
        process.destroy()
        if (!process.waitFor(5, TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
    }

    companion object {
        fun start(folder: Path): RemoteEngine {
            folder.createDirectory()
            val port = refusedPort()
            val command = listOf(Path.of(System.getProperty("java.home"), "bin", "java").toString()) +
                jvmFlags("192m") + listOf(
                    "-Djava.rmi.server.hostname=127.0.0.1",
                    "-jar",
                    "${JMeterForTests.home.jar}",
                    "-s",
                    "-j",
                    "${folder.resolve("jmeter-server.log")}",
                    "-Jserver_port=$port",
                    "-Jserver.rmi.ssl.disable=true",
                )
            val process = ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start()
            // It says so when its part of the work can be given to it.
            val ready = process.inputReader().lineSequence().find { it.startsWith("Created remote object") }
            checkNotNull(ready) { "the remote engine did not start: see $folder" }
            return RemoteEngine(process, port)
        }
    }
}
