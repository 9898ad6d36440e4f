package bootdyno.cluster

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonArrayBuilder
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject

/** The label of all pods of Boot Dyno. No two of them run on one node. */
internal const val APPLICATION_LABEL = "app.kubernetes.io/name"
internal const val APPLICATION = "boot-dyno"

/** The container that measures. */
internal const val CONTAINER = "dyno"

/** The folder of a pod's inputs, its run folder and its marks. */
internal const val WORK = "/work"

/** Failures of a round (a deleted pod, a lost node) after which it is given up. */
private const val REPETITIONS = 3

/** An ended Job that nobody deletes is removed after this time. */
private const val KEPT_SECONDS = 3600

/** The manifest of [order]: an Indexed Job whose pods need no shared volume, service account or network. */
internal fun jobManifest(order: JobOrder): JsonObject = buildJsonObject {
    put("apiVersion", "batch/v1")
    put("kind", "Job")
    putJsonObject("metadata") {
        put("name", order.name)
        putJsonObject("labels") { put(APPLICATION_LABEL, APPLICATION) }
    }
    putJsonObject("spec") {
        put("completionMode", "Indexed")
        put("completions", order.rounds.size)
        put("parallelism", minOf(order.nodes, order.rounds.size))
        put("backoffLimitPerIndex", REPETITIONS)
        // A pod on a node that does not answer never ends; its round is measured elsewhere as soon as it is evicted.
        put("podReplacementPolicy", "TerminatingOrFailed")
        put("activeDeadlineSeconds", order.deadlineSeconds)
        put("ttlSecondsAfterFinished", KEPT_SECONDS)
        put("template", merged(order.template ?: JsonObject(emptyMap()), template(order)))
    }
}

private fun template(order: JobOrder) = buildJsonObject {
    putJsonObject("metadata") {
        putJsonObject("labels") { put(APPLICATION_LABEL, APPLICATION) }
    }
    putJsonObject("spec") {
        put("restartPolicy", "Never")
        put("automountServiceAccountToken", false)
        put("enableServiceLinks", false)
        put("terminationGracePeriodSeconds", 10)
        putJsonObject("affinity") { oneOnEachNode() }
        putJsonArray("containers") {
            addJsonObject { container(order) }
        }
        putJsonArray("volumes") {
            addJsonObject {
                put("name", "work")
                putJsonObject("emptyDir") {}
            }
        }
    }
}

private fun JsonObjectBuilder.oneOnEachNode() = putJsonObject("podAntiAffinity") {
    putJsonArray("requiredDuringSchedulingIgnoredDuringExecution") {
        addJsonObject {
            put("topologyKey", "kubernetes.io/hostname")
            // Of all namespaces.
            putJsonObject("namespaceSelector") {}
            putJsonObject("labelSelector") {
                putJsonObject("matchLabels") { put(APPLICATION_LABEL, APPLICATION) }
            }
        }
    }
}

private fun JsonObjectBuilder.container(order: JobOrder) {
    put("name", CONTAINER)
    put("image", order.image)
    putJsonArray("command") {
        add("sh")
        add("-c")
        add(POD_SCRIPT)
    }
    putJsonArray("env") {
        variable("BOOT_DYNO_EXPERIMENT", order.experiment)
        variable("BOOT_DYNO_ROUNDS", order.rounds.joinToString(" "))
        variable("BOOT_DYNO_ALL_ROUNDS", "${order.allRounds}")
        variable("BOOT_DYNO_FLAGS", order.flags.joinToString(" "))
        variable("BOOT_DYNO_CPUS", "${order.cpus}")
        addJsonObject {
            put("name", "BOOT_DYNO_NODE")
            putJsonObject("valueFrom") {
                putJsonObject("fieldRef") { put("fieldPath", "spec.nodeName") }
            }
        }
    }
    // Equal requests and limits in whole CPUs: QoS class Guaranteed, and CPUs of its own under the static CPU manager.
    putJsonObject("resources") {
        listOf("requests", "limits").forEach { kind ->
            putJsonObject(kind) {
                put("cpu", "${order.cpus}")
                put("memory", order.memory)
            }
        }
    }
    putJsonArray("volumeMounts") {
        addJsonObject {
            put("name", "work")
            put("mountPath", WORK)
        }
    }
}

private fun JsonArrayBuilder.variable(name: String, value: String) = addJsonObject {
    put("name", name)
    put("value", value)
}

private val POD_SCRIPT: String by lazy {
    checkNotNull(JobOrder::class.java.getResource("pod.sh")) { "the jar has no pod.sh" }.readText()
}

/** [ours] with the keys that only [theirs] has. Lists are joined; elements with equal names are merged. */
internal fun merged(theirs: JsonElement, ours: JsonElement): JsonElement = when {
    theirs is JsonObject && ours is JsonObject -> JsonObject(
        theirs + ours.mapValues { (key, value) -> theirs[key]?.let { merged(it, value) } ?: value },
    )

    theirs is JsonArray && ours is JsonArray -> JsonArray(
        ours.map { own -> theirs.find { nameOf(it) != null && nameOf(it) == nameOf(own) }?.let { merged(it, own) } ?: own } +
            theirs.filter { their -> nameOf(their) == null || ours.none { nameOf(it) == nameOf(their) } },
    )

    else -> ours
}

private fun nameOf(element: JsonElement): String? = ((element as? JsonObject)?.get("name") as? JsonPrimitive)?.content
