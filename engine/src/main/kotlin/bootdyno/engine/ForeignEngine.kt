package bootdyno.engine

import bootdyno.model.EngineKind
import bootdyno.system.deleteTree
import java.nio.file.Files
import java.nio.file.Path

/**
 * A load engine that runs somebody else's program, a new process for each drive. A drive prepares files in a temporary folder, starts the
 * program, follows it to its end, and reads what it wrote.
 */
abstract class ForeignEngine(override val kind: EngineKind, protected val context: EngineContext) : LoadEngine {
    @Volatile
    private var running: GeneratorProcess? = null
    override val pid: Long? get() = running?.pid

    /** Nothing outlives a drive that could be warm. */
    override fun warmItself() = Unit

    override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
        if (!order.window.isPositive()) throw EngineFailed("$name measures windows only, and this one has no length.")
        val folder = Files.createTempDirectory(context.temporary, "$name-")
        try {
            return measure(order, folder, onSecond)
        } finally {
            deleteTree(folder)
        }
    }

    /** One drive of an [order] with a window; [folder] is empty, and removed afterwards. */
    protected abstract fun measure(order: LoadOrder, folder: Path, onSecond: (LoadSecond) -> Unit): LoadMeasured

    override fun cpuSeconds(): Double? = running?.cpuSeconds()

    override fun close() {
        running?.close()
    }

    /** Hands the process that [start] starts to [follow], and ends it afterwards. */
    protected fun <T> running(start: () -> GeneratorProcess, follow: (GeneratorProcess) -> T): T = start().use {
        running = it
        context.started(it.pid)
        try {
            follow(it)
        } finally {
            running = null
        }
    }
}
