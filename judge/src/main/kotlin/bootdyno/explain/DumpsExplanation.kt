package bootdyno.explain

import bootdyno.model.Change
import bootdyno.model.DumpedApplication
import bootdyno.occupancy.Resource

/** What thread dumps and recordings say of an application that Boot Dyno did not load. Texts are sentences. */
data class DumpsExplanation(
    val application: DumpedApplication,
    /** Requests per second, as the user gave it; null if unknown. */
    val rate: Double?,
    /** Dumps with the usual number of requests; those before are left out. */
    val observations: Int,
    /** Requests in threads, on average. */
    val requests: Double,
    val bottleneck: Bottleneck?,
    /** Whether enough dumps say so; otherwise the [bottleneck] is only likely. */
    val isProven: Boolean,
    /** Why no limit is named, or why it is not certain. */
    val missing: String?,
    val next: Advice?,
    /** For the [next] advice: the resource that it is about; null for CPUs, the heap, and without a limit. */
    val limited: Ceiling?,
    /** The change that [next] proposes, if a setting makes it. */
    val proposed: Change?,
    /** The method of the application in which most of its requests are; null without any. */
    val handler: String?,
    /** Resources with users or waiting requests. Those of unknown size allow an unknown rate. */
    val resources: List<Resource>,
    /** What the requests did. */
    val activities: String?,
    val isNot: List<String>,
    val cannotShow: List<String>,
)
