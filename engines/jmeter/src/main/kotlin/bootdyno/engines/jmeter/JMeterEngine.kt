package bootdyno.engines.jmeter

import bootdyno.engine.DataRows
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LONGEST_CAPTURED_FROM
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.model.DataTable
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import bootdyno.system.deleteTree
import bootdyno.system.pinned
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import java.util.Properties
import kotlin.time.Duration.Companion.milliseconds

/** What it can: open load with a schedule is not JMeter's. */
val JMETER_KIND = EngineKind(
    "jmeter",
    setOf(LoadKind.CLOSED, LoadKind.BURST),
    scripts = setOf(".jmx"),
    options = setOf("heap", "remotes", "controller", "target", "warm", "properties.*"),
    chains = true,
    scriptsBringLoad = true,
)

/**
 * Apache JMeter in a process of its own for each drive, with a plan made from the order or with a user's own.
 *
 * Times are whole milliseconds. Its clock starts with its first sample: seconds and window count from there. The settling time
 * is left out by the samples' timestamps. A sample is in the window when it ended in it. Response time includes connecting, as
 * JMeter's elapsed time does; service time does not. The timeout of a generated plan is JMeter's own, for connecting and for
 * each wait for bytes. CPU time is that of the JMeter process in the window; of remote engines it is not known. Each drive
 * begins cold: a generated plan first asks a private server for some seconds (option `warm`), which counts nowhere. A user's
 * own plan runs as it is.
 */
class JMeterEngine private constructor(
    private val context: EngineContext,
    private val options: JMeterOptions,
    private val script: Path?,
    private val home: JMeterHome,
) : LoadEngine {
    override val kind = JMETER_KIND
    override val pid: Long? get() = running?.pid

    @Volatile
    private var running: JMeterRun? = null

    /** Nothing outlives a drive that could be warm. */
    override fun warmItself() = Unit

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        if (!order.window.isPositive()) throw EngineFailed("JMeter drives windows; a subject is warmed up by our own engine.")
        val folder = Files.createTempDirectory(context.temporary, "jmeter-")
        try {
            return prepare(order, folder).use { run(order, it, folder, onSecond) }
        } finally {
            deleteTree(folder)
        }
    }

    override fun cpuSeconds(): Double? = running?.cpuSeconds()

    override fun close() {
        running?.close()
    }

    private fun prepare(order: LoadOrder, folder: Path): PreparedPlan {
        val host = options.target ?: order.host
        val far = options.remotes.filterNot(JMeterCommand::isLoopback)
        if (far.isNotEmpty() && JMeterCommand.isLoopback(host)) {
            throw EngineFailed(
                "Remote engines on ${far.joinToString()} would ask $host, which is themselves. Say by the option target how " +
                    "they reach the subject.",
            )
        }
        if (script == null) return generated(order.copy(host = host), folder)
        val temporary = Files.createDirectory(folder.resolve("plan"))
        return UserPlan.read(script).prepare(order, host, temporary, options.properties, ::note)
    }

    private fun generated(order: LoadOrder, folder: Path): PreparedPlan {
        val warmUp = if (options.remotes.isEmpty() && options.warm.isPositive()) WarmUpServer.start(options.warm) else null
        try {
            val plan = GeneratedPlan(order, maxOf(1, options.remotes.size), warmUp, rows(order))
            val file = plan.writeInto(folder)
            return PreparedPlan(
                file = file,
                workingFolder = folder,
                properties = plan.properties + (MOST_STORED to "${order.mostCompared}"),
                users = plan.users,
                length = plan.length,
                expected = Expected.of(order),
                alive = warmUp ?: AutoCloseable { },
            )
        } catch (failure: EngineFailed) {
            warmUp?.close()
            throw failure
        }
    }

    /** JMeter gives remote engines the plan, and not the file that it reads. */
    private fun rows(order: LoadOrder): DataTable? {
        val far = options.remotes.filterNot(JMeterCommand::isLoopback)
        if (order.data != null && far.isNotEmpty()) {
            throw EngineFailed(
                "A chain with data cannot be shared by remote engines: ${far.joinToString()} would not have the file.",
            )
        }
        return try {
            DataRows().of(order)
        } catch (unreadable: IllegalArgumentException) {
            throw EngineFailed(unreadable.message.orEmpty())
        }
    }

    private fun run(order: LoadOrder, plan: PreparedPlan, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        val files = RunFiles(folder)
        val properties = Properties().apply { putAll(plan.properties + options.properties) }
        Files.newBufferedWriter(files.properties).use { properties.store(it, null) }
        val command = pinned(JMeterCommand(home, options).run(plan, files), context.cpus)
        val run = JMeterRun.start(command, plan.workingFolder, context.log)
        running = run
        context.started(run.pid)
        try {
            return JMeterDrive(order, plan, run, files, onSecond, ::note).measure("JMeter ${home.version}", cpus())
        } finally {
            running = null
            if (options.remotes.isNotEmpty()) run.endRemotes()
            run.close()
            complaints(files.log, MOST_LOGGED, warnings = true).forEach(::note)
        }
    }

    /** Bytes that values are captured from, or that show whether a body is the expected one: one more than that has. */
    private val LoadOrder.mostCompared: Int
        get() = maxOf(
            LONGEST_CAPTURED_FROM,
            steps.maxOf { it.expect.body.orEmpty().toByteArray().size } + 1,
        )

    private fun cpus(): Int = context.cpus.size.takeIf { it > 0 } ?: Runtime.getRuntime().availableProcessors()

    private fun note(line: String) = context.log.note(line)

    companion object {
        private const val MOST_LOGGED = 100

        /** Of an answer in its samples; left out, all of it: a few answers of 100 MB were more than its heap. */
        private const val MOST_STORED = "httpsampler.max_bytes_to_store_per_request"

        /**
         * A JMeter for [spec]: its options and its plan are looked at first, then it is found or fetched.
         * @throws EngineFailed with what is wrong and what to do.
         */
        fun start(context: EngineContext, spec: EngineSpec): JMeterEngine {
            val options = JMeterOptions.of(spec.options)
            val script = spec.script?.let(Path::of)
            script?.let(UserPlan::read)
            val home = JMeterHome.find(
                context.cache,
                tell = {
                    System.err.println(it)
                    context.log.note(it)
                },
            )
            return JMeterEngine(context, options, script, home)
        }

        private fun Path.note(line: String) {
            Files.writeString(this, "$line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND)
        }
    }
}
