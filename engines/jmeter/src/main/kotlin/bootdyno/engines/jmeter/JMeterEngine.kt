package bootdyno.engines.jmeter

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.ForeignEngine
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LONGEST_CAPTURED_FROM
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.readRows
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import java.nio.file.Files
import java.nio.file.Path
import java.util.Properties

/** JMeter has no open load with a schedule. */
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
 * begins cold: a generated plan first loads a private server for some seconds (option `warm`), which counts nowhere. A user's
 * own plan runs as it is.
 */
class JMeterEngine private constructor(
    context: EngineContext,
    private val options: JMeterOptions,
    private val script: Path?,
    private val home: JMeterHome,
) : ForeignEngine(JMETER_KIND, context) {
    override fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured =
        prepare(order, folder).use { run(order, it, folder, onSecond) }

    private fun prepare(order: LoadOrder, folder: Path): PreparedPlan {
        val host = options.target ?: order.host
        val far = options.farRemotes.joinToString()
        if (far.isNotEmpty() && isLoopback(host)) {
            throw EngineFailed(
                "Remote engines on $far would send to $host, which is themselves. Give their way to the subject by the option `target`.",
            )
        }
        // JMeter gives remote engines the plan, and not the file that it reads.
        if (script == null && order.data != null && far.isNotEmpty()) {
            throw EngineFailed("A chain with data cannot be shared by remote engines: $far would not have the file.")
        }
        if (script == null) return generated(order.copy(host = host), folder)
        val temporary = Files.createDirectory(folder.resolve("plan"))
        return UserPlan.read(script).prepare(order, host, temporary, options.properties, context::note)
    }

    private fun generated(order: LoadOrder, folder: Path): PreparedPlan {
        val warmUp = if (options.remotes.isEmpty() && options.warm.isPositive()) WarmUpServer.start(options.warm) else null
        try {
            val plan = GeneratedPlan(order, maxOf(1, options.remotes.size), warmUp, readRows(order))
            return PreparedPlan(
                file = plan.writeInto(folder),
                workingFolder = folder,
                properties = plan.properties + (MOST_STORED to "${mostCompared(order)}"),
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

    private fun run(order: LoadOrder, plan: PreparedPlan, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        val files = RunFiles(folder)
        checkNotNull(javaClass.getResourceAsStream("results.properties")).use { Files.copy(it, files.ownProperties) }
        val properties = Properties().apply { putAll(plan.properties + options.properties) }
        Files.newBufferedWriter(files.properties).use { properties.store(it, null) }
        val console = JMeterConsole()
        val command = JMeterCommand(home, options).run(plan, files)
        val start = { GeneratorProcess.start(context, command, plan.workingFolder, isLogged = console::takeLine) }
        return running(start) { process ->
            try {
                JMeterDrive(order, plan, process, console, files, context, onSecond).measure("JMeter ${home.version}")
            } finally {
                if (options.remotes.isNotEmpty()) endRemotes(process, console)
                complaints(files.log, MOST_LOGGED, warnings = true).forEach(context::note)
            }
        }
    }

    /** Bytes that values are captured from, or that show whether a body is the expected one: one more than that has. */
    private fun mostCompared(order: LoadOrder): Int =
        maxOf(LONGEST_CAPTURED_FROM, order.steps.maxOf { it.expect.body.orEmpty().toByteArray().size } + 1)

    companion object {
        private const val MOST_LOGGED = 100

        /** Of an answer in its samples; left out, all of it: a few answers of 100 MB were more than its heap. */
        private const val MOST_STORED = "httpsampler.max_bytes_to_store_per_request"

        /**
         * A JMeter for [spec]: its options and its plan are checked first, then it is found or fetched.
         * @throws EngineFailed with what is wrong and what to do.
         */
        fun start(context: EngineContext, spec: EngineSpec): JMeterEngine {
            val options = JMeterOptions.of(spec)
            val script = spec.script?.let(Path::of)
            script?.let(UserPlan::read)
            val home = JMeterHome.find(
                context.cache,
                tell = {
                    System.err.println(it)
                    context.note(it)
                },
            )
            return JMeterEngine(context, options, script, home)
        }
    }
}
