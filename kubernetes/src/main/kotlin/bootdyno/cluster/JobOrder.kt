package bootdyno.cluster

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonObject

/** A Job that measures rounds in pods: one round in each, on a node of its own. */
@Serializable
data class JobOrder(
    /** Its name in Kubernetes. */
    val name: String,
    /** The round that the pod of each index measures. */
    val rounds: List<Int>,
    /** Number of rounds of the whole plan. */
    val allRounds: Int,
    /** The greatest number of pods at once. */
    val nodes: Int,
    val image: String,
    /** Whole CPUs of a pod. */
    val cpus: Int,
    /** Memory of a pod, as Kubernetes writes it: `3Gi`. */
    val memory: String,
    /** File name of the experiment in the pod. */
    val experiment: String,
    /** Further flags of `dyno run`, without spaces. */
    val flags: List<String> = emptyList(),
    /** Kubernetes ends the Job after this time, whatever happens to its controller. */
    val deadlineSeconds: Long,
    /** The user's pod template, whose keys are added to ours; null: none. */
    val template: JsonObject? = null,
) {
    /** `3/6`: which round the pod with [index] measures. */
    fun shownRound(index: Int): String = "${rounds[index]}/$allRounds"
}

private const val LONGEST_NAME = 30

/** A name for a Job of [experiment]; [suffix] distinguishes it from others. At most 52 characters, lower-case letters, digits and `-`. */
fun jobName(experiment: String, suffix: String): String {
    val readable = experiment.lowercase().replace(Regex("[^a-z0-9]+"), "-").take(LONGEST_NAME).trim('-')
    return listOf("boot-dyno", readable, suffix).filter { it.isNotEmpty() }.joinToString("-")
}
