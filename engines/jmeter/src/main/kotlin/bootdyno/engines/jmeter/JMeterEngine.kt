package bootdyno.engines.jmeter

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.ForeignEngine
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.engine.OptionReader
import bootdyno.engine.readRows
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import java.nio.file.Files
import java.nio.file.Path
import java.util.Properties
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

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
        if (script != null) {
            val temporary = Files.createDirectory(folder.resolve("plan"))
            return UserPlan.read(script).prepare(order, host, temporary, options.properties, context::note)
        }
        // JMeter gives remote engines the plan, and not the file that it reads.
        if (order.data != null && far.isNotEmpty()) {
            throw EngineFailed("A chain with data cannot be shared by remote engines: $far would not have the file.")
        }
        val plan = GeneratedPlan(order.copy(host = host), maxOf(1, options.remotes.size), readRows(order))
        return plan.prepare(folder, if (options.remotes.isEmpty()) options.warm else Duration.ZERO)
    }

    private fun run(order: LoadOrder, plan: PreparedPlan, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        resource("results.properties").use { Files.copy(it, folder.resolve(OWN_PROPERTIES)) }
        val properties = Properties().apply { putAll(plan.properties + options.properties) }
        Files.newBufferedWriter(folder.resolve(PROPERTIES)).use { properties.store(it, null) }
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

    /** Runs [plan] without a window of its own. */
    private fun command(plan: PreparedPlan, folder: Path): List<String> = buildList {
        val remote = options.remotes.isNotEmpty()
        add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        // A thread has a client, a connection and its own copy of the plan.
        val users = plan.users.takeUnless { remote } ?: 0
        addAll(jvmFlags(options.heap ?: "${512 + users / 1000 * MEGABYTES_FOR_THOUSAND}m"))
        // JMeter does not give the loopback address to remote engines unless it is told to.
        val controller = options.controller ?: "127.0.0.1".takeIf { options.remotes.all(::isLoopback) }
        if (remote && controller != null) add("-Djava.rmi.server.hostname=$controller")
        addAll(listOf("-jar", "${home.jar}", "-n", "-t", "${plan.file}", "-l", "${folder.resolve(RESULTS)}"))
        // The last one wins: what the user gives.
        val properties = "${folder.resolve(PROPERTIES)}"
        addAll(listOf("-j", "${folder.resolve(LOG)}", "-q", "${folder.resolve(OWN_PROPERTIES)}", "-q", properties))
        if (remote) addAll(listOf("-R", options.remotes.joinToString(","), "-G", properties))
    }

    companion object {
        /** The same for every run; and of this plan, with those that the user gives. */
        private const val OWN_PROPERTIES = "results.properties"
        private const val PROPERTIES = "run.properties"
        private const val MEGABYTES_FOR_THOUSAND = 128

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

internal fun jvmFlags(heap: String): List<String> =
    listOf("-Xms$heap", "-Xmx$heap", "-XX:+ExitOnOutOfMemoryError", "-XX:-UsePerfData", "-Djava.awt.headless=true") +
        // The line with its figures is read: it must not be in the user's language.
        listOf("-Duser.language=en", "-Duser.region=US") + OPENED.map { "--add-opens=java.base/java.$it=ALL-UNNAMED" }

/** As in the scripts of JMeter's distribution, as far as running without a window needs them. */
private val OPENED = listOf("lang", "lang.invoke", "lang.reflect", "util", "util.concurrent", "util.concurrent.atomic") +
    listOf("util.regex", "text", "io", "net", "nio", "math")

/** The options that an experiment gives JMeter. */
internal data class JMeterOptions(
    /** The heap of the JMeter process as the JVM writes sizes, `512m`; null: by the number of users. */
    val heap: String? = null,
    /** `host:port` of running remote engines (`jmeter-server`); empty: the load is made by this machine alone. */
    val remotes: List<String> = emptyList(),
    /** The address at which the remote engines reach this machine; null: JMeter finds it. */
    val controller: String? = null,
    /** The host by which the remote engines reach the subject; null: the same as here. */
    val target: String? = null,
    /** Load on a private server before a generated plan, so that JMeter's own code is compiled when the subject gets its load. */
    val warm: Duration = 5.seconds,
    /** JMeter properties (`-J`, for remote engines also `-G`): what a plan reads by `${__P(name)}`. */
    val properties: Map<String, String> = emptyMap(),
) {
    /** Remote engines on other machines. */
    val farRemotes: List<String> get() = remotes.filterNot(::isLoopback)

    companion object {
        private const val PROPERTIES = "properties."
        private val REMOTE = Regex("""[^\s:,]+(:\d{1,5})?""")

        /** @throws bootdyno.engine.EngineFailed with every option that is unknown or cannot be read. */
        fun of(spec: EngineSpec): JMeterOptions {
            val reader = OptionReader(JMETER_KIND, spec)
            return JMeterOptions(
                heap = reader.heap(),
                remotes = reader.option(
                    "remotes",
                    "a list of running remote engines such as 10.0.0.7:1099,10.0.0.8:1099",
                    emptyList(),
                ) {
                    val all = it.split(',').map(String::trim).filter(String::isNotEmpty)
                    all.takeIf { all.isNotEmpty() && all.all(REMOTE::matches) }
                },
                controller = reader.text("controller", "an address"),
                target = reader.text("target", "a host"),
                warm = reader.duration("warm", 5.seconds),
                properties = spec.options.filterKeys { it.startsWith(PROPERTIES) }.mapKeys { it.key.removePrefix(PROPERTIES) },
            ).also { if ("" in it.properties) reader.refuse("without a name behind it", PROPERTIES) }.also { reader.check() }
        }
    }
}

/** Whether [host], with or without a port, is this machine to itself. */
internal fun isLoopback(host: String): Boolean = host.substringBefore(':').let { it == "localhost" || it.startsWith("127.") }
