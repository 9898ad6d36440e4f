package bootdyno.launch.docker

import bootdyno.database.POSTGRES_IMAGE
import bootdyno.launch.Prepared
import bootdyno.launch.RunningSubject
import bootdyno.launch.place
import bootdyno.launch.prepare.Preparation
import bootdyno.launch.standInJar
import bootdyno.model.Cell
import bootdyno.model.RunPlace
import bootdyno.system.availableCpus
import bootdyno.system.ledger.Ledger
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.types.shouldBeInstanceOf
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
internal abstract class InEngine(private val folder: Path) {
    private val ledgers = folder.resolve("ledgers")
    protected val ledger = Ledger(ledgers)
    protected val engine: StartedEngine get() = SharedEngine.engine

    protected fun newImages(base: String = WITH_JAVA, of: Ledger = ledger) =
        Images(engine.cli, RunPlace.Docker(base), folder.resolve("prepared"), folder.resolve("images"), of)

    protected fun Images.made(cell: Cell): Prepared {
        val work = of(cell).shouldBeInstanceOf<Preparation.Work>()
        work.make(folder.resolve("preparation.log"))
        return work.prepared()
    }

    protected fun started(cell: Cell, prepared: Prepared, of: Ledger = ledger): RunningSubject =
        ContainerLauncher(engine.cli, place(cell.limits, availableCpus()), of, "a-run")
            .start(cell, folder.resolve("subject.log"), prepared)

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

/** A jar of Spring Boot with layers, as far as an image of it needs them. */
internal fun layeredJar(folder: Path, name: String): Path =
    standInJar(folder, TOOLS, name = name, texts = mapOf("BOOT-INF/layers.idx" to LAYERS))

private const val TOOLS = "BOOT-INF/lib/spring-boot-jarmode-tools-4.1.0.jar"
private val LAYERS = listOf("dependencies", "spring-boot-loader", "snapshot-dependencies", "application")
    .joinToString("") { "- \"$it\":\n  - \"x\"\n" }

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
