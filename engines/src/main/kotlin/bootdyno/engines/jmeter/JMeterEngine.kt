package bootdyno.engines.jmeter

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.ForeignEngine
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.readRows
import bootdyno.model.EngineSpec
import java.nio.file.Files
import java.nio.file.Path
import java.util.Properties
import kotlin.time.Duration

/**
 * Apache JMeter, with a new process for each drive, and a generated plan or the user's own.
 *
 * Times are whole milliseconds, counted from the first sample. The settling is excluded by timestamps. A sample is in the window if it ended
 * in it. Response time includes connecting, like JMeter's elapsed time; service time does not. The timeout of a generated plan is JMeter's:
 * for connecting, and for each wait for bytes. CPU time is that of the JMeter process in the window, without remote engines. Each drive starts
 * cold: a generated plan first loads a private server for some seconds (option `warm`), which is not counted. A user's plan runs unchanged.
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
        if (script != null) {
            val temporary = Files.createDirectory(folder.resolve("plan"))
            return UserPlan.read(script).prepare(order, host, temporary, options.properties, context::note)
        }
        // JMeter sends the plan to remote engines, but not its data file.
        if (order.data != null && far.isNotEmpty()) {
            throw EngineFailed("A chain with data cannot be shared by remote engines: $far would not have the file.")
        }
        val plan = GeneratedPlan(order.copy(host = host), maxOf(1, options.remotes.size), readRows(order))
        return plan.prepare(folder, if (options.remotes.isEmpty()) options.warm else Duration.ZERO)
    }

    private fun run(order: LoadOrder, plan: PreparedPlan, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        resource("results.properties").use { Files.copy(it, folder.resolve(OWN_PROPERTIES)) }
        val properties = Properties().apply { putAll(plan.properties + options.properties) }
        // To a stream: JMeter reads the file as Latin-1, in which `store` escapes all other characters.
        Files.newOutputStream(folder.resolve(PROPERTIES)).use { properties.store(it, null) }
        val console = JMeterConsole()
        val command = command(plan, folder)
        val start = { GeneratorProcess.start(context, command, plan.workingFolder, isLogged = console::takeLine) }
        return running(start) { process ->
            try {
                JMeterDrive(order, plan, process, console, folder, context, onSecond).measure("JMeter ${home.version}")
            } finally {
                if (options.remotes.isNotEmpty()) endRemotes(process, console)
                complaints(folder.resolve(LOG), most = 100, warnings = true).forEach(context::note)
            }
        }
    }

    /** The command line that runs [plan] without JMeter's own GUI. */
    private fun command(plan: PreparedPlan, folder: Path): List<String> = buildList {
        val remote = options.remotes.isNotEmpty()
        add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        // Each thread has a client, a connection and a copy of the plan.
        val users = plan.users.takeUnless { remote } ?: 0
        addAll(jvmFlags(options.heap ?: "${512 + users / 1000 * MEGABYTES_FOR_THOUSAND}m"))
        // JMeter's RMI address must be loopback for remote engines on this machine.
        val controller = options.controller ?: "127.0.0.1".takeIf { options.remotes.all(::isLoopback) }
        if (remote && controller != null) add("-Djava.rmi.server.hostname=$controller")
        addAll(listOf("-jar", "${home.jar}", "-n", "-t", "${plan.file}", "-l", "${folder.resolve(RESULTS)}"))
        // The last one takes precedence: the user's.
        val properties = "${folder.resolve(PROPERTIES)}"
        addAll(listOf("-j", "${folder.resolve(LOG)}", "-q", "${folder.resolve(OWN_PROPERTIES)}", "-q", properties))
        if (remote) addAll(listOf("-R", options.remotes.joinToString(","), "-G", properties))
    }

    companion object {
        /** Names of property files: ours for every run, and those of this plan and the user. */
        private const val OWN_PROPERTIES = "results.properties"
        private const val PROPERTIES = "run.properties"
        private const val MEGABYTES_FOR_THOUSAND = 128

        /**
         * A JMeter for [spec]: checks its options and its plan, then finds or downloads JMeter.
         * @throws EngineFailed with the problem and what to do
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

internal fun jvmFlags(heap: String): List<String> =
    listOf("-Xms$heap", "-Xmx$heap", "-XX:+ExitOnOutOfMemoryError", "-XX:-UsePerfData", "-Djava.awt.headless=true") +
        // The summary line is parsed, so it must be in English.
        listOf("-Duser.language=en", "-Duser.region=US") + OPENED.map { "--add-opens=java.base/java.$it=ALL-UNNAMED" }

/** Packages opened in the scripts of JMeter's distribution, as far as needed without its GUI. */
private val OPENED = listOf("lang", "lang.invoke", "lang.reflect", "util", "util.concurrent", "util.concurrent.atomic") +
    listOf("util.regex", "text", "io", "net", "nio", "math")

/** Whether [host], with or without a port, is this machine. */
internal fun isLoopback(host: String): Boolean = host.substringBefore(':').let { it == "localhost" || it.startsWith("127.") }
