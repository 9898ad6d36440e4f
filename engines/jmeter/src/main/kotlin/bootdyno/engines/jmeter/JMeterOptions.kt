package bootdyno.engines.jmeter

import bootdyno.engine.OptionReader
import bootdyno.model.EngineSpec
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** The options that an experiment gives JMeter. */
internal data class JMeterOptions(
    /** The heap of the JMeter process as the JVM writes sizes, `512m`; null: by the number of users. */
    val heap: String? = null,
    /** `host:port` of running remote engines (`jmeter-server`); empty: the load is made by this machine alone. */
    val remotes: List<String> = emptyList(),
    /** The address at which the remote engines reach this machine; null: JMeter finds it. */
    val controller: String? = null,
    /** The host by which the remote engines reach the subject; null: the same as here. */
    val target: String? = null,
    /** Load on a private server before a generated plan, so that JMeter's own code is compiled when the subject gets its load. */
    val warm: Duration = 5.seconds,
    /** JMeter properties (`-J`, for remote engines also `-G`): what a plan reads by `${__P(name)}`. */
    val properties: Map<String, String> = emptyMap(),
) {
    /** Remote engines on other machines. */
    val farRemotes: List<String> get() = remotes.filterNot(::isLoopback)

    companion object {
        private const val PROPERTIES = "properties."
        private val REMOTE = Regex("""[^\s:,]+(:\d{1,5})?""")

        /** @throws bootdyno.engine.EngineFailed with every option that is unknown or cannot be read. */
        fun of(spec: EngineSpec): JMeterOptions {
            val reader = OptionReader(JMETER_KIND, spec)
            return JMeterOptions(
                heap = reader.heap(),
                remotes = reader.option(
                    "remotes",
                    "a list of running remote engines such as 10.0.0.7:1099,10.0.0.8:1099",
                    emptyList(),
                ) {
                    val all = it.split(',').map(String::trim).filter(String::isNotEmpty)
                    all.takeIf { all.isNotEmpty() && all.all(REMOTE::matches) }
                },
                controller = reader.text("controller", "an address"),
                target = reader.text("target", "a host"),
                warm = reader.duration("warm", 5.seconds),
                properties = spec.options.filterKeys { it.startsWith(PROPERTIES) }.mapKeys { it.key.removePrefix(PROPERTIES) },
            ).also { if ("" in it.properties) reader.refuse("without a name behind it", PROPERTIES) }.also { reader.check() }
        }
    }
}

/** Whether [host], with or without a port, is this machine to itself. */
internal fun isLoopback(host: String): Boolean = host.substringBefore(':').let { it == "localhost" || it.startsWith("127.") }
