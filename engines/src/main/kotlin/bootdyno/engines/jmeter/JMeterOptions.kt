package bootdyno.engines.jmeter

import bootdyno.engine.OptionReader
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.model.LoadKind
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** JMeter has no open load with a schedule. */
val JMETER_KIND = EngineKind(
    "jmeter",
    setOf(LoadKind.CLOSED, LoadKind.BURST),
    scripts = setOf(".jmx"),
    options = setOf("heap", "remotes", "controller", "target", "warm", "properties.*"),
    chains = true,
    scriptsBringLoad = true,
)

/** JMeter's options. */
internal data class JMeterOptions(
    /** Heap of the JMeter process in the JVM's format, `512m`; null: depends on the number of users. */
    val heap: String? = null,
    /** `host:port` of running remote engines (`jmeter-server`); empty: only this machine makes the load. */
    val remotes: List<String> = emptyList(),
    /** Address of this machine for the remote engines; null: JMeter finds it. */
    val controller: String? = null,
    /** Host of the subject for the remote engines; null: the same as here. */
    val target: String? = null,
    /** Duration of the warm-up on a private server before a generated plan. */
    val warm: Duration = 5.seconds,
    /** JMeter properties (`-J`, for remote engines also `-G`), which a plan reads by `${__P(name)}`. */
    val properties: Map<String, String> = emptyMap(),
) {
    val farRemotes: List<String> get() = remotes.filterNot(::isLoopback)

    companion object {
        private const val PROPERTIES = "properties."
        private val REMOTE = Regex("""[^\s:,]+(:\d{1,5})?""")

        /** @throws bootdyno.engine.EngineFailed with all unknown and invalid options */
        fun of(spec: EngineSpec): JMeterOptions {
            val reader = OptionReader(JMETER_KIND, spec)
            val form = "a list of running remote engines such as 10.0.0.7:1099,10.0.0.8:1099"
            return JMeterOptions(
                heap = reader.heap(),
                remotes = reader.option("remotes", form, emptyList()) {
                    val all = it.split(',').map(String::trim).filter(String::isNotEmpty)
                    all.takeIf { all.isNotEmpty() && all.all(REMOTE::matches) }
                },
                controller = reader.text("controller", "an address"),
                target = reader.text("target", "a host"),
                warm = reader.duration("warm", 5.seconds),
                properties = reader.below(PROPERTIES),
            ).also { if ("" in it.properties) reader.refuse("without a name behind it", PROPERTIES) }.also { reader.check() }
        }
    }
}
