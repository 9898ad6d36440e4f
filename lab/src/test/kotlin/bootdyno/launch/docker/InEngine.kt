package bootdyno.launch.docker

import bootdyno.database.POSTGRES_IMAGE
import bootdyno.system.ledger.Ledger
import io.kotest.matchers.collections.shouldBeEmpty
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.extension.BeforeAllCallback
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.api.extension.ExtensionContext
import org.junit.jupiter.api.parallel.ResourceLock
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries

/** Tests in the engine of all such classes, which take it in turn: each test leaves nothing in it, and nothing in its [ledger] in [folder]. */
@Tag("full")
@ResourceLock("the engine of tests")
@ExtendWith(SharedEngine::class)
internal abstract class InEngine(folder: Path) {
    private val ledgers = folder.resolve("ledgers")
    protected val ledger = Ledger(ledgers)
    protected val engine: StartedEngine get() = SharedEngine.engine

    @AfterEach
    fun nothingShouldBeLeft() {
        engine.containers().shouldBeEmpty()
        engine.networks().shouldBeEmpty()
        engine.volumes().shouldBeEmpty()
        engine.images().filterNot { it == POSTGRES_IMAGE || it.startsWith("dyno-test:") || "/shared:" in it }.shouldBeEmpty()
        ledger.close()
        if (ledgers.exists()) ledgers.listDirectoryEntries().shouldBeEmpty()
    }
}

/** The first class that needs the engine starts it; it ends after all tests. */
internal class SharedEngine : BeforeAllCallback {
    override fun beforeAll(context: ExtensionContext) {
        val store = context.root.getStore(ExtensionContext.Namespace.GLOBAL)
        engine = store.computeIfAbsent(SharedEngine::class.java, { started() }, StartedEngine::class.java)
    }

    private fun started() = StartedEngine.orSkip().apply { importBaseImages() }

    companion object {
        lateinit var engine: StartedEngine
            private set
    }
}
