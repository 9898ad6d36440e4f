package bootdyno.model

/** What stands in place of a value that nobody should read. Plain in YAML, JSON, a URL and a shell's quotes. */
const val HIDDEN = "(hidden)"

/** Words that make a key look secret, as a part of a regular expression. */
const val SECRET_WORDS =
    "passw(?:or)?d|passwd|passphrase|pwd|secret|token|credential|api[-_.]?key|access[-_.]?key|private[-_.]?key|authorization|cookie"

private val SECRET_KEY = Regex("(?i).*(?:$SECRET_WORDS).*")

/** Whether a setting called [key] is one whose value nobody should read, in a report or in a list of processes. */
fun looksSecret(key: String): Boolean = SECRET_KEY.matches(key)
