package bootdyno.measure

import bootdyno.engine.EngineChoice
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.model.EngineKind
import bootdyno.model.EngineSpec
import bootdyno.system.ledger.Ledger
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeText

/** An engine that cannot warm itself up. */
private class ColdEngine : LoadEngine {
    var isClosed = false
        private set
    override val kind = EngineKind.OWN
    override val pid: Long? = null

    override fun warmItself(chains: Boolean): Unit = throw EngineFailed("it cannot warm up")

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured = error("it is not warm")

    override fun close() {
        isClosed = true
    }
}

class RunEnginesTest(@param:TempDir private val folder: Path) {
    private val engine = ColdEngine()
    private val choices = listOf(EngineChoice(EngineKind.OWN, "cannot warm itself up") { _, _ -> engine })

    private fun engines(ledgers: Path) = RunEngines(emptyList(), Ledger(ledgers), folder, warmUp = true, choices = choices)

    @Test
    fun `an engine whose own warm-up fails is ended`() {
        engines(folder.resolve("ledgers")).use { engines ->
            shouldThrow<EngineFailed> { engines.engine(EngineSpec()) }.message shouldBe "it cannot warm up"
            engine.isClosed shouldBe true
        }
    }

    @Test
    fun `no engine is started if the ledger cannot be written, and the failure says so`() {
        val taken = folder.resolve("taken").also { it.writeText("") }
        engines(taken).use { engines ->
            shouldThrow<EngineFailed> { engines.engine(EngineSpec()) }.message shouldContain "$taken/"
        }
    }
}
