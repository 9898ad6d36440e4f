package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.GeneratorFound
import bootdyno.system.deleteTree
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import kotlin.time.Duration

/** Where an engine runs: the CPUs it may use (any, when empty), the file for what it logs, and a folder that outlives the run. */
data class EngineContext(
    val cpus: List<Int>,
    val log: Path,
    val cache: Path,
    /** For files of a drive, removed by whoever made it. */
    val temporary: Path = Path.of(System.getProperty("java.io.tmpdir")),
    /** Called for every process that the engine starts, so that none is left behind by a lab that was killed. */
    val started: (pid: Long) -> Unit = {},
) {
    /** How many CPUs it may use. */
    val cpuCount: Int get() = cpus.size.takeIf { it > 0 } ?: Runtime.getRuntime().availableProcessors()

    /** Adds [line] to the log. */
    fun note(line: String) {
        Files.writeString(log, "$line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND)
    }

    /** An engine that used [cpuSeconds] in its window, and does not record how late it sends. */
    fun generator(cpuSeconds: Double) = GeneratorFound(cpuSeconds, cpuCount.toDouble(), lagP99Ms = null)
}

/**
 * A load engine that runs somebody else's program, a new process for each drive. A drive prepares files in a temporary folder, starts the
 * program, follows it to its end, and reads what it wrote.
 */
abstract class ForeignEngine(override val kind: EngineKind, protected val context: EngineContext) : LoadEngine {
    @Volatile
    private var running: GeneratorProcess? = null
    override val pid: Long? get() = running?.pid

    /** Nothing outlives a drive that could be warm. */
    override fun warmItself() = Unit

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        if (!order.window.isPositive()) throw EngineFailed("$name measures windows only, and this one has no length.")
        val folder = Files.createTempDirectory(context.temporary, "$name-")
        try {
            return measure(order, folder, onSecond)
        } finally {
            deleteTree(folder)
        }
    }

    /** One drive of an [order] with a window; [folder] is empty, and removed afterwards. */
    protected abstract fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured

    override fun close() {
        running?.close()
    }

    /** Hands the process that [start] starts to [follow], and ends it afterwards. */
    protected fun <T> running(start: () -> GeneratorProcess, follow: (GeneratorProcess) -> T): T = start().use {
        running = it
        context.started(it.pid)
        try {
            follow(it)
        } finally {
            running = null
        }
    }
}

/** Reads the options that an experiment gives an engine, and collects all that is wrong with them. */
class OptionReader(private val kind: EngineKind, private val spec: EngineSpec) {
    private val problems = mutableListOf<String>()

    /** The option [name] as [parse] takes it, which is null for a text that is no [form]; [default] where it is not given. */
    fun <T> option(name: String, form: String, default: T, parse: (String) -> T?): T {
        val text = spec.options[name] ?: return default
        return parse(text.trim()) ?: default.also { problems += "`$name` is `$text`, and must be $form" }
    }

    fun text(name: String, form: String, pattern: Regex = Regex(".+")): String? =
        option<String?>(name, form, null) { text -> text.takeIf(pattern::matches) }

    /** `1g`, `512 MiB`, as `java -Xmx` takes it; null where it is not given. */
    fun heap(): String? = option<String?>("heap", "a size such as 512m or 2 GiB", null) { text ->
        HEAP.matchEntire(text)?.destructured?.let { (count, unit) -> count + unit.first().lowercase() }
    }

    /** `5 s`, `1500ms`, `0 s`. */
    fun duration(name: String, default: Duration): Duration =
        option(name, "a duration such as 5 s, or 0 s for none", default) { text ->
            Duration.parseOrNull(text.replace(" ", ""))?.takeIf { it.isFinite() && !it.isNegative() }
        }

    /** All of [names] make no sense where [reason]. */
    fun refuse(reason: String, vararg names: String) {
        names.filter { it in spec.options }.forEach { problems += "`$it` cannot be used $reason" }
    }

    /** @throws EngineFailed with every option that is unknown or cannot be read. */
    fun check() {
        problems += spec.options.keys.filterNot(kind::knows).map { "there is no option `$it`" }
        if (problems.isEmpty()) return
        throw EngineFailed(
            "Options of ${kind.name}: ${problems.joinToString("; ")}. The options are: ${kind.options.joinToString(", ")}.",
        )
    }
}

private val HEAP = Regex("""([1-9]\d*)\s*(k|m|g|K|M|G|KiB|MiB|GiB)""")
