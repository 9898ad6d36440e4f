package bootdyno.bench

import bootdyno.engine.EngineChoice
import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.model.EngineSpec

/** An engine in the bench, and what it has measured so far. Once it has broken it does nothing any more. */
internal class Contestant(private val choice: EngineChoice) : AutoCloseable {
    val name: String get() = choice.name

    /** Why it cannot go on; null while it can. */
    var broken: String? = null
        private set
    private var engine: LoadEngine? = null
    private val turns = COMPARED.associateWith { mutableListOf<LoadMeasured>() }

    fun start(context: EngineContext) = unlessItBreaks {
        choice.whyNot()?.let { throw EngineFailed(it) }
        choice.start(context, EngineSpec(name)).also { engine = it }.warmItself()
    }

    fun measure(case: ComparedTruth, order: LoadOrder, counts: Boolean) = unlessItBreaks {
        val measured = (engine ?: error("$name was not started")).drive(order)
        val found = measured.found
        if (found.answered == 0L || found.errors.isNotEmpty()) {
            throw EngineFailed("${case.name}: ${found.answered} answered, errors ${found.errors}")
        }
        if (counts) turns.getValue(case) += measured
    }

    fun row() = EnginesRow(name, turns, broken)

    override fun close() {
        engine?.close()
    }

    private fun unlessItBreaks(action: () -> Unit) {
        if (broken != null) return
        try {
            action()
        } catch (failure: EngineFailed) {
            broken = failure.message.orEmpty()
        }
    }
}
