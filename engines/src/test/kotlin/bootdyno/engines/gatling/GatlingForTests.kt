package bootdyno.engines.gatling

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineTraits
import bootdyno.engines.fetch.Fetched
import bootdyno.model.EngineSpec
import bootdyno.model.ErrorCause
import java.nio.file.Path
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/** What the kits must know of Gatling. */
internal interface GatlingTraits : EngineTraits {
    override val resolution: Duration get() = 1.milliseconds

    /** It says *premature close* of both. */
    override fun told(cause: ErrorCause): ErrorCause? = if (cause == ErrorCause.RESET) ErrorCause.CLOSED else cause

    /** It has taken the answer before it sees that more follows. */
    override fun meets(fault: String): Boolean = fault != "overlong"

    override val asksAgain: Boolean get() = true
    override val stampsEachSend: Boolean get() = false
    override val startsCold: Boolean get() = true
}

/** The engine as a run starts it, with one Gatling for all tests. */
internal object GatlingForTests {
    private val gatling = Fetched("Gatling") { GatlingHome.inside(it, ::println) }
    val home: GatlingHome get() = gatling.home

    fun assumed() = gatling.assumed()

    /** Cold, since warming takes seconds and no figure here depends on it. */
    fun engine(log: Path, script: Path? = null, options: Map<String, String> = emptyMap()): GatlingEngine {
        assumed()
        val all = if (script == null) mapOf("warm" to "0 s") + options else options
        val spec = EngineSpec(GATLING_KIND.name, script?.toString(), all)
        return GatlingEngine.start(EngineContext(emptyList(), log, gatling.cache), spec)
    }
}
