package bootdyno.model

private val PLAIN_WORD = Regex("[A-Za-z0-9_./:,=@%+-]+")

/** [text] as one word of a POSIX shell. */
fun shellWord(text: String): String = if (PLAIN_WORD.matches(text)) text else "'${text.replace("'", "'\\''")}'"

/** [path] as one word of a POSIX shell, which is no flag. */
fun shellPath(path: String): String = shellWord(if (path.startsWith("-")) "./$path" else path)
