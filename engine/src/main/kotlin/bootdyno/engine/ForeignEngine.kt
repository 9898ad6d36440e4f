package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.GeneratorFound
import bootdyno.model.HttpVersion
import bootdyno.system.deleteTree
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardOpenOption
import kotlin.time.Duration

/** CPUs of an engine (empty: all), its log file, and a cache folder that outlives the run. */
data class EngineContext(
    val cpus: List<Int>,
    val log: Path,
    val cache: Path,
    /** For files of a drive; the creator removes them. */
    val temporary: Path = Path.of(System.getProperty("java.io.tmpdir")),
    /** The command that runs another one behind an emulated network. */
    val inNetwork: (List<String>) -> List<String> = { it },
    /** Called for every started process, so that none survives a killed lab. */
    val started: (pid: Long) -> Unit = {},
) {
    val cpuCount: Int get() = cpus.size.takeIf { it > 0 } ?: Runtime.getRuntime().availableProcessors()

    fun note(line: String) {
        Files.writeString(log, "$line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND)
    }

    /** A generator that used [cpuSeconds] in its window; its lag is unknown. */
    fun generator(cpuSeconds: Double) = GeneratorFound(cpuSeconds, cpuCount.toDouble(), lagP99Ms = null)
}

/**
 * A load engine that runs an external program, with a new process for each drive. A drive writes files to a temporary folder, starts the
 * program, waits for its end, and reads its results.
 */
abstract class ForeignEngine(override val kind: EngineKind, protected val context: EngineContext) : LoadEngine {
    @Volatile
    private var running: GeneratorProcess? = null
    override val pid: Long? get() = running?.pid

    /** No process outlives a drive, so there is nothing to warm up. */
    override fun warmItself(chains: Boolean) = Unit

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        if (!order.window.isPositive()) throw EngineFailed("$name measures windows only, and this one has no length.")
        if (order.http == HttpVersion.HTTP_2 || order.serverName != null) {
            throw EngineFailed("$name supports neither `http: 2` nor `server-name` of the subject: use the engine dyno.")
        }
        val folder = Files.createTempDirectory(context.temporary, "$name-")
        try {
            return measure(order, folder, onSecond)
        } finally {
            deleteTree(folder)
        }
    }

    /** One drive of an [order] with a window; [folder] is empty, and deleted afterwards. */
    protected abstract fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured

    override fun close() {
        running?.close()
    }

    /** Passes the process of [start] to [follow], and kills it afterwards. */
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

/** Reads the options of an engine, and collects all problems. */
class OptionReader(private val kind: EngineKind, private val spec: EngineSpec) {
    private val problems = mutableListOf<String>()

    /** The option [name] converted by [parse], which returns null for a text that is no [form]; [default] if absent. */
    fun <T> option(name: String, form: String, default: T, parse: (String) -> T?): T {
        val text = spec.options[name] ?: return default
        return parse(text.trim()) ?: default.also { problems += "`$name` is `$text`, and must be $form" }
    }

    fun text(name: String, form: String, pattern: Regex = Regex(".+")): String? =
        option<String?>(name, form, null) { text -> text.takeIf(pattern::matches) }

    /** The options that begin with [prefix], `env.`, by the rest of their names. */
    fun below(prefix: String): Map<String, String> =
        spec.options.filterKeys { it.startsWith(prefix) }.mapKeys { it.key.removePrefix(prefix) }

    fun number(name: String, range: IntRange): Int? =
        option<Int?>(name, "a whole number from ${range.first} to ${range.last}", null) { text ->
            text.toIntOrNull()?.takeIf { it in range }
        }

    /** `1g`, `512 MiB`, for `java -Xmx`; null if absent. */
    fun heap(): String? = option<String?>("heap", "a size such as 512m or 2 GiB", null) { text ->
        HEAP.matchEntire(text)?.destructured?.let { (count, unit) -> count + unit.first().lowercase() }
    }

    /** `5 s`, `1500ms`, `0 s`. */
    fun duration(name: String, default: Duration): Duration =
        option(name, "a duration such as 5 s, or 0 s for none", default) { text ->
            Duration.parseOrNull(text.replace(" ", ""))?.takeIf { it.isFinite() && !it.isNegative() }
        }

    /** Reports each of [names] that is set as invalid for this [reason]. */
    fun refuse(reason: String, vararg names: String) {
        names.filter { it in spec.options }.forEach { problems += "`$it` cannot be used $reason" }
    }

    /** @throws EngineFailed with all unknown and invalid options, or if the user's [script] cannot be read */
    fun check(script: Path? = null) {
        problems += spec.options.keys.filterNot(kind::knows).map { "there is no option `$it`" }
        if (problems.isNotEmpty()) {
            throw EngineFailed(
                "Options of ${kind.name}: ${problems.joinToString("; ")}. The options are: ${kind.options.joinToString(", ")}.",
            )
        }
        if (script != null && (!Files.isReadable(script) || Files.isDirectory(script))) {
            throw EngineFailed("The ${kind.name} script $script cannot be read.")
        }
    }
}

private val HEAP = Regex("""([1-9]\d*)\s*(k|m|g|K|M|G|KiB|MiB|GiB)""")
