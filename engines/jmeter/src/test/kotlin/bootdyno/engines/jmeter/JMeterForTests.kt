package bootdyno.engines.jmeter

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.model.EngineSpec
import org.junit.jupiter.api.Assumptions.assumeTrue
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption

/** A copy in this folder of the file [name] of somebody else's plans, which may be inside a jar. */
internal fun Path.withUserFile(name: String): Path = resolve(name.substringAfterLast('/')).also { copy ->
    checkNotNull(JMeterForTests::class.java.getResourceAsStream("/jmeter/$name")) {
        name
    }.use { Files.copy(it, copy, StandardCopyOption.REPLACE_EXISTING) }
}

/** The engine as a run starts it, with one JMeter for all tests. A test without one is skipped, and says why. */
internal object JMeterForTests {
    private val cache = Path.of("target/engines").toAbsolutePath()

    val home: JMeterHome by lazy { JMeterHome.find(cache, ::println) }
    private val missing: String? by lazy {
        try {
            home
            null
        } catch (failure: EngineFailed) {
            failure.message
        }
    }

    fun assumed() = assumeTrue(missing == null) { "no JMeter here: $missing" }

    /** Cold, since warming takes seconds and hardly a figure depends on it. */
    fun engine(log: Path, options: Map<String, String> = emptyMap(), script: Path? = null): JMeterEngine {
        assumed()
        val spec = EngineSpec(JMETER_KIND.name, script?.toString(), mapOf("warm" to "0 s", "heap" to "192m") + options)
        return JMeterEngine.start(EngineContext(emptyList(), log, cache), spec)
    }
}
