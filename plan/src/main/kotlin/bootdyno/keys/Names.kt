package bootdyno.keys

import bootdyno.yaml.Entry
import bootdyno.yaml.text

/** Names that are valid in a cell's id, a file name and a gate. */
internal val NAME = Regex("[A-Za-z0-9][A-Za-z0-9._=+-]*")

/** Adds a problem if its name is not valid in a cell's id. */
internal fun Entry.checkName() {
    if (NAME.matches(name)) return
    val hint = "letters, digits and . _ = + - only, since it becomes part of cell ids and file names"
    problem("`$name` cannot be a name", hint)
}

internal val NAME_TEXT = text("a name", NAME, "letters, digits and . _ = + - only")

/** `orders-1` for GET, `post-orders` for another method; `root` for `/`. */
internal fun nameOf(method: String, path: String): String {
    val words = path.substringBefore('?').trim('/')
    val name = if (words.isEmpty()) "root" else nameable(words)
    return if (method == "GET") name else "${method.lowercase()}-$name"
}

/** [text] as a part of a name: an id of a cell, a file name. */
internal fun nameable(text: String): String =
    text.replace(Regex("[^A-Za-z0-9._-]+"), "-").trimStart('-', '.', '_').trimEnd('-').ifEmpty { "x" }
