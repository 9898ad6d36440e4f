package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What the experiment tells JMeter in its own words: the options of its engine. */
internal data class JMeterOptions(
    /** The heap of the JMeter process as the JVM writes sizes, `512m`; null: by the number of users. */
    val heap: String? = null,
    /** `host:port` of running remote engines (`jmeter-server`); empty: the load is made by this machine alone. */
    val remotes: List<String> = emptyList(),
    /** The address at which the remote engines reach this machine; null: JMeter finds it. */
    val controller: String? = null,
    /** The host by which the remote engines reach the subject; null: the same as here. */
    val target: String? = null,
    /** Load on a private server before a generated plan, so that JMeter's own code is compiled when the subject is asked. */
    val warm: Duration = WARM,
    /** JMeter properties (`-J`, for remote engines also `-G`): what a plan reads by `${__P(name)}`. */
    val properties: Map<String, String> = emptyMap(),
) {
    companion object {
        private val WARM = 5.seconds
        private const val PROPERTIES = "properties."
        private val KNOWN = listOf("heap", "remotes", "controller", "target", "warm", "${PROPERTIES}NAME")
        private val HEAP = Regex("""[1-9]\d*[kmgKMG]""")
        private val REMOTE = Regex("""[^\s:,]+(:\d{1,5})?""")

        /** @throws EngineFailed with every option that is unknown or cannot be read. */
        fun of(options: Map<String, String>): JMeterOptions {
            val problems = mutableListOf<String>()
            var read = JMeterOptions()
            options.forEach { (name, value) ->
                when {
                    name == "heap" && HEAP.matches(value.trim()) -> read = read.copy(heap = value.trim())

                    name == "remotes" && remotes(value).all(REMOTE::matches) && remotes(value).isNotEmpty() ->
                        read = read.copy(remotes = remotes(value))

                    name == "controller" && value.isNotBlank() -> read = read.copy(controller = value.trim())

                    name == "target" && value.isNotBlank() -> read = read.copy(target = value.trim())

                    name == "warm" && duration(value) != null -> read = read.copy(warm = duration(value) ?: WARM)

                    name.startsWith(PROPERTIES) && name != PROPERTIES ->
                        read = read.copy(properties = read.properties + (name.removePrefix(PROPERTIES) to value))

                    name in KNOWN -> problems += "$name: '$value' is no ${FORMS.getValue(name)}"

                    else -> problems += "'$name' is not known"
                }
            }
            if (problems.isEmpty()) return read
            throw EngineFailed("JMeter's options: ${problems.joinToString("; ")}. It knows ${KNOWN.joinToString(", ")}.")
        }

        private val FORMS = mapOf(
            "heap" to "size of a heap such as 512m or 2g",
            "remotes" to "list of running remote engines such as 10.0.0.7:1099,10.0.0.8:1099",
            "controller" to "address",
            "target" to "host",
            "warm" to "duration such as 5 s, or 0 s for none",
        )

        private fun remotes(value: String) = value.split(',').map { it.trim() }.filter { it.isNotEmpty() }

        private fun duration(value: String): Duration? =
            Duration.parseOrNull(value.replace(" ", ""))?.takeIf { it.isFinite() && !it.isNegative() }
    }
}
