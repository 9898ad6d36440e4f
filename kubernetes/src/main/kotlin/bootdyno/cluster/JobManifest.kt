package bootdyno.cluster

import io.fabric8.kubernetes.client.utils.Serialization
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject

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
internal fun jobManifest(order: JobOrder): JsonObject {
    val ours = jsonOf(yamlOf(order), Map::class.java)
    val template = order.template ?: return ours
    return merged(JsonObject(mapOf("spec" to JsonObject(mapOf("template" to template)))), ours).jsonObject
}

/** The object of [type] in [yaml]. @throws IllegalArgumentException */
internal fun jsonOf(yaml: String, type: Class<*>): JsonObject =
    Json.parseToJsonElement(Serialization.asJson(Serialization.unmarshal(yaml, type))).jsonObject

private fun yamlOf(order: JobOrder): String {
    val labels = "{ $APPLICATION_LABEL: $APPLICATION }"
    val resources = "{ cpu: \"${order.cpus}\", memory: ${quoted(order.memory)} }"
    return """
        apiVersion: batch/v1
        kind: Job
        metadata: { name: ${quoted(order.name)}, labels: $labels }
        spec:
          completionMode: Indexed
          completions: ${order.rounds.size}
          parallelism: ${minOf(order.nodes, order.rounds.size)}
          backoffLimitPerIndex: $REPETITIONS
          # A pod on a node that does not answer never ends; its round is measured elsewhere as soon as it is evicted.
          podReplacementPolicy: TerminatingOrFailed
          activeDeadlineSeconds: ${order.deadlineSeconds}
          ttlSecondsAfterFinished: $KEPT_SECONDS
          template:
            metadata: { labels: $labels }
            spec:
              restartPolicy: Never
              automountServiceAccountToken: false
              enableServiceLinks: false
              terminationGracePeriodSeconds: 10
              affinity:
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                    - topologyKey: kubernetes.io/hostname
                      namespaceSelector: {} # All namespaces.
                      labelSelector: { matchLabels: $labels }
              containers:
                - name: $CONTAINER
                  image: ${quoted(order.image)}
                  command: [ sh, -c, ${quoted(POD_SCRIPT)} ]
                  env:
                    - { name: BOOT_DYNO_EXPERIMENT, value: ${quoted(order.experiment)} }
                    - { name: BOOT_DYNO_ROUNDS, value: "${order.rounds.joinToString(" ")}" }
                    - { name: BOOT_DYNO_ALL_ROUNDS, value: "${order.allRounds}" }
                    - { name: BOOT_DYNO_FLAGS, value: ${quoted(order.flags.joinToString(" "))} }
                    - { name: BOOT_DYNO_CPUS, value: "${order.cpus}" }
                    - { name: BOOT_DYNO_NODE, valueFrom: { fieldRef: { fieldPath: spec.nodeName } } }
                  # Equal, in whole CPUs: QoS class Guaranteed, and CPUs of its own under the static CPU manager.
                  resources: { requests: $resources, limits: $resources }
                  volumeMounts: [ { name: work, mountPath: $WORK } ]
              volumes: [ { name: work, emptyDir: {} } ]
    """.trimIndent()
}

/** A string of JSON is one of YAML. */
private fun quoted(text: String) = "${JsonPrimitive(text)}"

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
