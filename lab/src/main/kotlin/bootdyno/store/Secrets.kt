package bootdyno.store

import bootdyno.model.HIDDEN
import bootdyno.model.SECRET_WORDS
import bootdyno.model.looksSecret

private const val KEY = "[\\w.\\[\\]-]*(?i:$SECRET_WORDS)[\\w.\\[\\]-]*"

/** A double- or single-quoted text. */
private const val QUOTED = "\"(?:\\\\.|[^\"\\\\])*\"|'(?:''|[^'])*'"

/** A line of YAML or of a log: `key: the rest of the line`. */
private val WHOLE_LINE = Regex("(?m)^([ \\t]*(?:- )?[\"']?$KEY[\"']?[ \\t]*:[ \\t]+)($QUOTED|\\S[^\\r\\n]*)")

/** `key: value` within a line, a JSON member, or `key=value`. */
private val WITHIN_LINE = Regex("($KEY(?:[\"'][ \\t]*:[ \\t]*|[ \\t]*:[ \\t]+|[ \\t]*=[ \\t]*))($QUOTED|[^\\s,;&}\\]\"']+)")

/** The password of `scheme://user:password@host`; it may hold an `@`, not a slash. */
private val IN_URL = Regex("(://[^/\\s:@?#]*:)[^/\\s?#]+(@)")

private val ASSIGNMENT = Regex("(?s)((?:-D|--?)?$KEY=)(.*)")

/** [text] (YAML, JSON, a log line) without the values of secret-looking keys and without passwords in URLs. */
fun redactText(text: String): String = text
    .replace(IN_URL) { it.groupValues[1] + HIDDEN + it.groupValues[2] }
    .replace(WHOLE_LINE) { it.groupValues[1] + hide(it.groupValues[2]) }
    .replace(WITHIN_LINE) { it.groupValues[1] + hide(it.groupValues[2]) }

/** A command line without secrets: `-Dkey=x`, `--key=x`, `--key x`, `KEY=x`, and what [redactText] finds within a word. */
fun redactCommandLine(words: List<String>): List<String> = words.mapIndexed { index, word ->
    val before = words.getOrNull(index - 1).orEmpty()
    val namedBefore = before.startsWith("-") && '=' !in before && looksSecret(before) && !word.startsWith("-")
    val assignment = ASSIGNMENT.matchEntire(word)
    when {
        namedBefore -> hide(word)
        assignment != null -> assignment.groupValues[1] + hide(assignment.groupValues[2])
        else -> redactText(word)
    }
}

/** [settings] with the values of secret-looking keys hidden. */
fun redactSettings(settings: Map<String, String>): Map<String, String> =
    settings.mapValues { (key, value) -> if (looksSecret(key)) hide(value) else redactText(value) }

/** Switches are no secrets, and hiding them would hide what was compared. Quotes stay. */
private fun hide(value: String): String {
    val quote = value.take(1).takeIf { it == "\"" || it == "'" }.orEmpty()
    return if (value.trim('"', '\'').lowercase() in HARMLESS) value else quote + HIDDEN + quote
}

private val HARMLESS = setOf("", "true", "false", "null", HIDDEN)
