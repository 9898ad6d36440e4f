package bootdyno.probe

import bootdyno.model.Metric

/**
 * Reads metrics of something from outside, at one moment.
 *
 * A metric that cannot be read is absent, never zero; [notes] says why, in sentences for the reader of a report.
 * A new probe is one file here and one line in [SubjectProbe]'s list.
 */
interface Probe {
    fun read(): Map<Metric, Double>

    val notes: List<String> get() = emptyList()
}
