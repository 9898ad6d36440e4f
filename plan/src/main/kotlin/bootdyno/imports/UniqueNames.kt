package bootdyno.imports

private const val LONGEST_NAME = 1_000

/** Names of operations or columns. */
internal class UniqueNames {
    private val taken = mutableSetOf<String>()
    private val last = mutableMapOf<String, Int>()

    /** [wished], with a number if it is taken. */
    fun unused(wished: String): String {
        val words = wished.take(LONGEST_NAME).replace(Regex("[^A-Za-z0-9_]+"), "-").trim('-', '_').take(60).trim('-', '_')
        val name = if (words.firstOrNull()?.isLetter() == true) words else "request-$words".trim('-')
        var unused = name
        while (!taken.add(unused)) unused = "$name-${last.merge(name, 1, Int::plus)?.plus(1)}"
        return unused
    }
}
