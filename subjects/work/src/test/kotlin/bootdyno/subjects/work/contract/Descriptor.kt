package bootdyno.subjects.work.contract

import org.yaml.snakeyaml.Yaml
import java.nio.file.Path
import kotlin.io.path.readText

/** The part of a `subject.yaml` that the running application can be asked about. */
data class Descriptor(val ready: String, val styles: List<DescribedStyle>) {
    val paths: Set<String> get() = styles.map { it.path }.toSet()

    /** What stands on one side only, one sentence each. Empty: descriptor and application agree. */
    fun disagreements(served: Set<String>): List<String> =
        (served - paths).sorted().map { "$it is served but missing in subject.yaml" } +
            (paths - served).sorted().map { "$it stands in subject.yaml but is not served" }

    companion object {
        fun read(file: Path): Descriptor = parse(file.readText())

        fun parse(text: String): Descriptor {
            val root = Yaml().load<Map<String, *>>(text)
            val styles = root["styles"] as Map<*, *>
            return Descriptor(
                ready = root["ready"].toString(),
                styles =
                styles.map { (path, keys) ->
                    val style = keys as Map<*, *>
                    DescribedStyle(path.toString(), style["style"].toString(), style["occupies"].toString())
                },
            )
        }
    }
}

data class DescribedStyle(val path: String, val style: String, val occupies: String) {
    /**
     * Every style answers with its own name: its path without the slash. One that computes adds its sum; one that calls passes
     * on. One has its own words.
     */
    val answer: String get() = ARTICLE_WORDS[path] ?: path.removePrefix("/")

    /** What it does, by the words of its name; nothing where it answers at once. */
    val work: Work?
        get() = when {
            style.endsWith("no-op") -> null
            style.startsWith("call") -> Work.CALL
            !style.startsWith("CPU") -> Work.WAIT
            "cooperative" in style -> Work.COOPERATIVE_PRIMES
            else -> Work.PRIMES
        }

    /** Whether it holds a thread that can be seen in its work. */
    val holdsThread: Boolean get() = occupies != "nothing"

    val computes: Boolean get() = work == Work.PRIMES || work == Work.COOPERATIVE_PRIMES
}

private val ARTICLE_WORDS = mapOf("/test" to "Test OK!")
