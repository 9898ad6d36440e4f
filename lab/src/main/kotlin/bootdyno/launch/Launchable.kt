package bootdyno.launch

import bootdyno.model.Cell
import bootdyno.model.Limits
import bootdyno.model.Subject
import bootdyno.model.Variant

/** What is started as a process of ours, and inside which limits: a subject, or a service it calls. */
internal data class Launchable(val variant: Variant, val subject: Subject, val limits: Limits, val isService: Boolean = false) {
    /** How a sentence about it begins. */
    val who: String get() = if (isService) "The service ${variant.name}" else "The subject"

    /** How the one who cleans up after a crash calls it. */
    val inLedger: String get() = if (isService) "the service ${variant.name}" else "the subject ${variant.name}"
}

internal fun Cell.launchable() = Launchable(variant, subject, limits)
