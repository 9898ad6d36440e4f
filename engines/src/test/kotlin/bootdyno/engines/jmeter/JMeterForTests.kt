package bootdyno.engines.jmeter

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineTraits
import bootdyno.engines.fetch.Fetched
import bootdyno.model.EngineSpec
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** A copy in this folder of the file [name] of somebody else's plans, which may be inside a jar. */
internal fun Path.withUserFile(name: String): Path = resolve(name.substringAfterLast('/')).also { copy ->
    checkNotNull(JMeterForTests::class.java.getResourceAsStream("/jmeter/$name")) {
        name
    }.use { Files.copy(it, copy, StandardCopyOption.REPLACE_EXISTING) }
}

/** What the kits must know of JMeter. */
internal interface JMeterTraits : EngineTraits {
    override val resolution: Duration get() = 1.milliseconds

    /** It takes what comes before a status line for noise, and the end of one answer for the beginning of the next. */
    override fun meets(fault: String): Boolean = fault !in setOf("no HTTP", "overlong")

    override val asksOn: Boolean get() = true
    override val startsCold: Boolean get() = true
    override val seesUnanswered: Boolean get() = false
}

/** The engine as a run starts it, with one JMeter for all tests. */
internal object JMeterForTests {
    private val jmeter = Fetched("JMeter") { JMeterHome.find(it, ::println) }
    val home: JMeterHome get() = jmeter.home

    fun assumed() = jmeter.assumed()

    /** Cold, since warming takes seconds and hardly a figure depends on it. */
    fun engine(
        log: Path,
        options: Map<String, String> = emptyMap(),
        script: Path? = null,
        temporary: Path = Path.of(System.getProperty("java.io.tmpdir")),
    ): JMeterEngine {
        assumed()
        val spec = EngineSpec(JMETER_KIND.name, script?.toString(), mapOf("warm" to "0 s", "heap" to "192m") + options)
        return JMeterEngine.start(EngineContext(emptyList(), log, jmeter.cache, temporary), spec)
    }
}
