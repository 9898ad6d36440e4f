package bootdyno.subjects.downstream

/**
 * Settings of the slow server. [atOnce]: requests served at the same time; the others wait in the order of arrival or, if it [refuses] them, are
 * answered with 429.
 */
data class Settings(
    val port: Int = 0,
    val waiting: Waiting = Waiting(),
    val seed: Long = 1,
    val atOnce: Int = Int.MAX_VALUE,
    val refuses: Boolean = false,
) {
    companion object {
        private const val BY_HAND_PORT = 8081
        private val KEYS = listOf("port", "distribution", "mean", "seed", "at-once", "refuse")

        /**
         * Reads `--distribution=exponential --mean=500` (milliseconds) `--seed=7 --at-once=4 --refuse=true --port=8081`. Missing values come from the system property of the
         * same name (the port from `server.port`), then the port from `PORT` or `SERVER_PORT`. Throws [IllegalArgumentException] with the problem.
         */
        fun read(arguments: Array<String>, property: (String) -> String?, environment: (String) -> String?): Settings {
            arguments.forEach(::check)
            val given = arguments.associate { it.removePrefix("--").substringBefore('=') to it.substringAfter('=') }
            fun text(key: String): String? = given[key] ?: property(if (key == "port") "server.port" else key)
            val usual = Waiting()
            val port = text("port") ?: environment("PORT") ?: environment("SERVER_PORT")
            return Settings(
                port = port?.let { wholeNumber("port", it, 0..65_535L) }?.toInt() ?: BY_HAND_PORT,
                waiting = Waiting(
                    distribution = text("distribution")?.let(Distribution::named) ?: usual.distribution,
                    meanMs = text("mean")?.let(Waiting::milliseconds) ?: usual.meanMs,
                ),
                seed = text("seed")?.let { wholeNumber("seed", it, Long.MIN_VALUE..Long.MAX_VALUE) } ?: 1,
                atOnce = text("at-once")?.let { wholeNumber("at-once", it, 1L..Int.MAX_VALUE) }?.toInt() ?: Int.MAX_VALUE,
                refuses =
                text("refuse")?.let { requireNotNull(it.toBooleanStrictOrNull()) { "refuse is true or false, not $it" } }
                    ?: false,
            )
        }

        private fun check(argument: String) = require(KEYS.any { argument.startsWith("--$it=") }) {
            "$argument is not understood: ${KEYS.joinToString(" ") { "--$it=…" }}"
        }

        private fun wholeNumber(key: String, text: String, allowed: LongRange): Long =
            requireNotNull(text.toLongOrNull()?.takeIf { it in allowed }) { "$key is a whole number in $allowed, not $text" }
    }
}
