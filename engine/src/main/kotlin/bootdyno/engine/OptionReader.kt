package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import kotlin.time.Duration

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

    private companion object {
        val HEAP = Regex("""([1-9]\d*)\s*(k|m|g|K|M|G|KiB|MiB|GiB)""")
    }
}
