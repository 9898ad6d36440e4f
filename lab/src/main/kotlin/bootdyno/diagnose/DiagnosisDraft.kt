package bootdyno.diagnose

import bootdyno.model.Diagnosis

/** A diagnosis in the making, to which several threads add. What comes after its end is discarded. */
internal class DiagnosisDraft(from: Double) {
    val stacks = StackTableBuilder()

    // Both are guarded by this object's lock.
    private var diagnosis = Diagnosis(from = from, to = from)
    private var ended = false

    @Synchronized
    fun note(change: Diagnosis.() -> Diagnosis) {
        if (!ended) diagnosis = diagnosis.change()
    }

    /** [sentence] says what could not be observed, and why. */
    fun missing(sentence: String) = note { copy(missing = missing + sentence) }

    @Synchronized
    fun soFar(): Diagnosis = diagnosis.copy(stacks = stacks.build())

    @Synchronized
    fun end(to: Double): Diagnosis {
        ended = true
        return diagnosis.copy(to = to, stacks = stacks.build(), missing = diagnosis.missing.distinct())
    }
}
