package bootdyno.report.format

import bootdyno.explain.DumpsExplanation
import bootdyno.explain.inUse
import bootdyno.explain.name
import bootdyno.report.Rounded
import kotlinx.serialization.Serializable
import kotlinx.serialization.Transient

/** The explanation of dumps as one JSON document. [problems]: files that could not be used, and why. */
fun renderJson(explained: DumpsExplanation, problems: List<String>): String =
    wholeJson.encodeToString(DumpsJson.serializer(), DumpsJson(explained, problems)) + "\n"

@Serializable
internal class DumpsJson(@Transient private val of: DumpsExplanation = neverRead(), val problems: List<String>) {
    val schemaVersion = 1
    val process = of.application.process
    val jvm = of.application.jvm
    val dumps = of.application.forms
    val from = of.application.firstAt
    val to = of.application.lastAt
    val observations = of.observations
    val requests: Rounded = of.requests
    val limit = of.bottleneck?.limit?.text
    val proven = of.isProven && of.bottleneck != null
    val sentences = of.bottleneck?.let { listOf(it.measured) + it.details }.orEmpty()
    val missing = of.missing
    val activities = of.activities
    val rate: Rounded? = of.rate
    val change = of.next?.change
    val prediction = of.next?.prediction?.let { DumpsPredictionJson(it.low, it.high, it.sentence) }
    val isNot = of.isNot
    val cannotShow = of.cannotShow
    val resources = of.resources.map {
        DumpsResourceJson(it.name.text, it.size, inUse(it.inUse)?.median, inUse(it.waiting)?.median, it.waitingIn?.toString())
    }
}

@Serializable
internal class DumpsPredictionJson(val low: Rounded, val high: Rounded, val sentence: String)

@Serializable
internal class DumpsResourceJson(
    val name: String,
    val size: Int?,
    val inUse: Rounded?,
    val waiting: Rounded?,
    val waitingAt: String?,
)
