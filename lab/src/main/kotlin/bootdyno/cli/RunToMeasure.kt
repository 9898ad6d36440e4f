package bootdyno.cli

import bootdyno.store.RunFolder

/** An open run folder and the trials that are there [already]. A [fresh] folder was made for this very run. */
internal data class OpenedRun(val folder: RunFolder, val already: Set<Int>, val fresh: Boolean)

/**
 * A run whose folder is opened, or made, when the machine is free: a run that is refused leaves no folder behind. Owned by the thread
 * that measures.
 */
internal class RunToMeasure(private val opening: () -> OpenedRun) : AutoCloseable {
    private var opened: OpenedRun? = null
    private var begun = false

    /** Null before it was opened, and where nothing is kept of it. */
    val kept: RunFolder? get() = opened?.takeIf { begun || !it.fresh }?.folder

    fun open(): OpenedRun = opening().also { opened = it }

    /** From now on the folder is kept, however the run ends. */
    fun begin(): OpenedRun {
        begun = true
        return checkNotNull(opened) { "a run begins when its folder is open" }
    }

    override fun close() {
        if (kept == null) opened?.folder?.discard()
    }
}
