package bootdyno.plan

import bootdyno.model.redactText

/**
 * One thing wrong with a file or a flag, with the place, the way to it (`variants.tomcat.subject`) and, where we have one, a hint.
 *
 * [file] is the flag as typed when the value came from the command line; [line] and [column] count from 1 and are then null.
 */
data class Problem(val file: String, val line: Int?, val column: Int?, val path: String, val message: String, val hint: String?)

/**
 * Collects problems while reading goes on, so that the user sees all of them at once. Belongs to one reading, on one thread.
 *
 * @param resolve makes the path of a file, written in what is read, absolute
 */
internal class Problems(val resolve: (String) -> String = { it }) {
    private val found = mutableListOf<Problem>()

    private val warned = linkedSetOf<String>()

    val none: Boolean get() = found.isEmpty()

    /** Sentences for the user; they keep nothing from running. */
    val warnings: List<String> get() = warned.toList()

    /** In the order of the files' lines. */
    fun all(): List<Problem> = found.distinct().sortedWith(
        compareBy({ it.line == null }, { it.file }, { it.line }, { it.column }),
    )

    /** Adds a problem and gives null, the value of what could not be read. */
    fun add(place: Place, path: String, message: String, hint: String? = null): Nothing? {
        found += Problem(place.file, place.line, place.column, path, redactText(message), hint)
        return null
    }

    fun warnOfOldName(place: Place, old: String, new: String) {
        val where = listOfNotNull(place.file, place.line).joinToString(":")
        warned += "$where: `$old` is now called `$new`. The old name still works."
    }
}
