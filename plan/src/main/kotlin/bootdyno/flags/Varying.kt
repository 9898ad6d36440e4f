package bootdyno.flags

import bootdyno.catalogue.settingOf
import bootdyno.keys.MOST_CELLS
import bootdyno.keys.nameable
import bootdyno.model.Worded
import bootdyno.model.looksSecret
import bootdyno.model.numbered
import bootdyno.model.redactText
import bootdyno.yaml.Place
import bootdyno.yaml.Problems

/** The combinations of several `--vary` that are measured. */
enum class Design : Worded {
    /** Every combination of values. */
    FACTORIAL,

    /** The first value of each, and then every other value alone. */
    ONE_AT_A_TIME,
}

/** What a `--vary` changes. [word] begins its text, `env:NAME=a,b`; null for settings. */
internal enum class VariedPart(val word: String?) { SETTING(null), ENV("env"), JVM("jvm"), JAVA("java"), RUNTIME("runtime") }

/** One `--vary`: a [key] of a [part] and its values; the first is the baseline's. Values of [VariedPart.JVM] are flags, or [NO_FLAG]. */
internal class Varied(val part: VariedPart, val key: String, val values: List<String>)

/** The value of each [Varied] in one variant. */
internal typealias Choice = Map<Varied, String>

/** The value of `jvm:` for no flag. */
internal const val NO_FLAG = "none"

/** Flags that are followed by their value without a sign. */
private val JOINED_FLAGS = listOf("-Xmx", "-Xms", "-Xmn", "-Xss")

/** Short name of a frequently compared setting; null for others. */
private fun readable(key: String): String? = if (key == VIRTUAL_THREADS) "virtual-threads" else settingOf(key)?.label

private val BOOLEANS = mapOf("true" to "on", "false" to "off")

/**
 * Reads the text of a `--vary`: `key=a,b`, `env:NAME=a,b`, `jvm:-Xmx=512m,1g`, `jvm:-XX:+UseSerialGC,-XX:+UseG1GC`, `java:17,21`,
 * `runtime=jar,native`.
 */
internal fun varied(text: String, problems: Problems): Varied? {
    val place = Place("--vary ${redactText(text)}")
    val part = partOf(text)
    val rest = if (text.startsWith("${part.word}:")) text.substringAfter(':') else text
    val listed = when (part) {
        VariedPart.JAVA, VariedPart.RUNTIME -> rest.removePrefix("${part.word}=")
        VariedPart.JVM -> rest.takeIf { list -> valuesIn(list).all { it.startsWith("-") || it == NO_FLAG } }
        VariedPart.SETTING, VariedPart.ENV -> null
    }
    val key = if (listed == null) rest.substringBefore('=', "").trim() else part.word.orEmpty()
    val values = valuesIn(listed ?: rest.substringAfter('=', ""))
    val each = "write $key=a,b: each is a variant, the first is the baseline"
    return when {
        key.isEmpty() -> problems.add(place, "", "`$text` names no setting", "write $VIRTUAL_THREADS=false,true")

        values.isEmpty() -> problems.add(place, "", "`$text` gives no values", each)

        part == VariedPart.JVM && !key.startsWith("-") && listed == null -> problems.add(
            place,
            "",
            "`$key` is no JVM flag",
            "write jvm:-Xmx=512m,1g, or whole flags: jvm:-XX:+UseSerialGC,-XX:+UseG1GC",
        )

        part == VariedPart.JVM -> Varied(part, key, values.map { joined(if (listed == null) "$key=$it" else it) })

        else -> Varied(part, key, values)
    }
}

private fun partOf(text: String): VariedPart = VariedPart.entries.find { it.word != null && text.startsWith("${it.word}:") }
    ?: listOf(VariedPart.JAVA, VariedPart.RUNTIME).find { text.substringBefore('=') == it.word }
    ?: VariedPart.SETTING

private fun valuesIn(list: String): List<String> = list.split(',').map { it.trim() }.filter { it.isNotEmpty() }.distinct()

/** `-Xmx=512m` is `-Xmx512m`. */
private fun joined(flag: String): String {
    val name = JOINED_FLAGS.find { flag.startsWith("$it=") } ?: return flag
    return name + flag.removePrefix("$name=")
}

/** The number of variants of [varied]. */
internal fun variantsOf(varied: List<Varied>, design: Design): Long = when (design) {
    Design.FACTORIAL -> varied.fold(1L) { product, one -> minOf(product * one.values.size, Long.MAX_VALUE / MOST_CELLS) }
    Design.ONE_AT_A_TIME -> 1L + varied.sumOf { it.values.size - 1 }
}

/**
 * The variants of [varied] by name, the baseline first; in a [Design.FACTORIAL] the first one varies slowest. Names are unique, and valid in
 * ids of cells.
 */
internal fun choices(varied: List<Varied>, design: Design): Map<String, Choice> {
    val first: Choice = varied.associateWith { it.values.first() }
    val all: List<Choice> = when (design) {
        Design.FACTORIAL -> varied.fold(listOf<Choice>(emptyMap())) { made, one ->
            made.flatMap { choice -> one.values.map { choice + (one to it) } }
        }

        Design.ONE_AT_A_TIME -> listOf(first) + varied.flatMap { one -> one.values.drop(1).map { first + (one to it) } }
    }
    val labels = labels(varied)
    val onlyChanges = design == Design.ONE_AT_A_TIME && varied.size > 1
    val names = all.map { choice ->
        val named = choice.filter { (one, value) -> !onlyChanges || value != first[one] }
        named.entries.joinToString("+") { (one, value) -> word(one, value, labels.getValue(one)) }
    }
    val unnamed = if (onlyChanges) "baseline" else "as-is"
    return unique(names.map { it.ifEmpty { unnamed } }).zip(all).toMap()
}

private fun unique(names: List<String>): List<String> {
    val taken = mutableSetOf<String>()
    return names.map { name -> numbered(name).first(taken::add) }
}

/** `virtual-threads-on`, `tomcat-threads-200`, `pool.max=5`, `jdk-21`, `UseSerialGC`. Secret values are numbered. */
private fun word(varied: Varied, value: String, label: String): String = when {
    varied.part == VariedPart.JVM -> flagWord(value)
    varied.part == VariedPart.JAVA -> javaWord(value)
    value in BOOLEANS -> "$label-${BOOLEANS[value]}"
    looksSecret(varied.key) -> "$label-${varied.values.indexOf(value) + 1}"
    readable(varied.key) != null -> "$label-${nameable(value)}"
    else -> "$label=${nameable(value)}"
}

/** `io-threads-128`; null for a property that the catalogue does not name. */
private fun propertyWord(flag: String): String? =
    settingOf(flag.substring(2).substringBefore('='))?.let { "${it.label}-${nameable(flag.substringAfter('='))}" }

private fun flagWord(flag: String): String {
    val option = flag.removePrefix("-XX:")
    return when {
        flag == NO_FLAG -> "no-flag"
        flag.startsWith("-D") -> propertyWord(flag) ?: nameable(flag)
        option.startsWith("-") && option != flag -> nameable(option) + "-off"
        else -> nameable(option.trimStart('+'))
    }
}

/** The version, or the name of the folder. */
private fun javaWord(java: String): String {
    val name = nameable(java.removeSuffix("/bin/java").trimEnd('/').substringAfterLast('/'))
    return if (name.first().isDigit()) "jdk-$name" else name
}

private fun labels(varied: List<Varied>): Map<Varied, String> {
    val settings = varied.filter { it.part == VariedPart.SETTING }.associateWith(::plainKey)
    return varied.associateWith { one ->
        readable(one.key) ?: settings[one]?.let { label(it, settings.values.toSet()) } ?: nameable(one.key)
    }
}

/** `cache.enabled` that is on or off is `cache`. */
private fun plainKey(varied: Varied): String =
    if (varied.values.all { it in BOOLEANS }) varied.key.removeSuffix(".enabled") else varied.key

/** The shortest unique end of [key] among [keys], in whole words: `max`, or `threads.max` beside `pool.max`. */
private fun label(key: String, keys: Set<String>): String {
    val words = key.split('.')
    val ends = words.indices.reversed().map { words.drop(it).joinToString(".") }
    return nameable(ends.firstOrNull { end -> keys.none { it != key && it.endsWith(".$end") } } ?: key)
}
