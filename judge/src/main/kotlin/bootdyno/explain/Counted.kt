package bootdyno.explain

import bootdyno.model.exact

private const val UNIT = "thread|connection|permit|carrier|loop|call|object|CPU"
private val SEVERAL = Regex("\\b($UNIT)s\\b")
private val ONE = Regex("\\b($UNIT)\\b")

/** `200 Tomcat threads`, `1 Tomcat thread`. [nouns]: in the plural. */
internal fun counted(size: Double, nouns: String): String =
    "${exact(size)} " + if (size == 1.0) nouns.replaceFirst(SEVERAL, "$1") else nouns

internal fun counted(size: Int, nouns: String): String = counted(size.toDouble(), nouns)

/** The nouns of what [counted] wrote, in the plural. */
internal fun nounsOf(counted: String): String {
    val (size, nouns) = counted.split(' ', limit = 2)
    return if (size == "1") nouns.replaceFirst(ONE, "$1s") else nouns
}
