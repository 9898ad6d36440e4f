package bootdyno.explain

import bootdyno.model.exact

private const val UNIT = "thread|connection|permit|carrier|loop|call|object|CPU"
private val SEVERAL = Regex("\\b($UNIT)s\\b")

/** `200 Tomcat threads`, `1 Tomcat thread`. [nouns]: in the plural. */
internal fun counted(size: Double, nouns: String): String =
    "${exact(size)} " + if (size == 1.0) nouns.replaceFirst(SEVERAL, "$1") else nouns

internal fun counted(size: Int, nouns: String): String = counted(size.toDouble(), nouns)

/** The last word before what they are of: `threads` of `Tomcat threads` and of `threads of pool-1`. */
internal fun unitsOf(nouns: String): String = nouns.substringBefore(" of ").substringAfterLast(' ')
