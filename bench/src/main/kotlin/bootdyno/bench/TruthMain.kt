package bootdyno.bench

import bootdyno.engine.Freezes
import bootdyno.engine.TruthServer
import bootdyno.engine.after
import bootdyno.engine.atOnce
import bootdyno.engine.everyNth
import bootdyno.system.ChildOutput
import bootdyno.system.Errors
import bootdyno.system.javaCommand
import bootdyno.system.pinned
import bootdyno.system.startChild
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Test servers with known latencies, by name. Freeze times count from the first request, including the settling time. */
internal enum class Truth(val reply: () -> (bootdyno.engine.ReceivedRequest) -> Unit) {
    FAST({ atOnce() }),
    EXACT_20_MS({ after(20.milliseconds) }),
    EVERY_HUNDREDTH({ everyNth(100, 500.milliseconds, 5.milliseconds) }),
    FREEZING({ THREE_FREEZES }),
}

internal val THREE_FREEZES = Freezes(listOf(5.seconds, 15.seconds, 25.seconds).map { it + SETTLE }, 1.seconds)

/** A test server in its own process: prints its port and exits when stdin closes. */
fun main(arguments: Array<String>) {
    val server = TruthServer.start(Truth.valueOf(arguments.single()).reply())
    println(server.port)
    System.`in`.readAllBytes()
    Runtime.getRuntime().halt(0)
}

/** A running test server; closing it ends its process. */
internal class TruthProcess private constructor(private val process: Process, val port: Int) : AutoCloseable {
    override fun close() {
        process.outputStream.close()
        process.waitFor()
    }

    companion object {
        fun start(truth: Truth, setup: BenchSetup): TruthProcess {
            val log = setup.log("target")
            val flags = listOf("-Xms128m", "-Xmx256m", "-Xmn64m", "-XX:+UseSerialGC", "-Dio.netty.allocator.type=pooled")
            val command = javaCommand(flags, "bootdyno.bench.TruthMainKt", listOf(truth.name))
            val process = startChild(pinned(command, setup.targetCpus), errors = Errors.APART, fed = true)
            ChildOutput.start(log, process.errorStream)
            val port = process.inputReader().readLine()?.toIntOrNull() ?: error("the truth server did not start, see $log")
            return TruthProcess(process, port)
        }
    }
}
