package bootdyno.cluster

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.maps.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Test

/** Rounds 2 and 5 of six. */
internal val ORDER = JobOrder(
    name = "boot-dyno-shop-1a2b3c4d",
    rounds = listOf(2, 5),
    allRounds = 6,
    nodes = 4,
    image = "registry.example/boot-dyno:1",
    cpus = 2,
    memory = "3Gi",
    experiment = "shop.yaml",
    flags = listOf("--i-may-load", "shop.example"),
    deadlineSeconds = 100_000,
)

private const val TEMPLATE = """
metadata: { labels: { team: shop } }
spec:
  hostNetwork: true
  restartPolicy: Always
  tolerations: [ { operator: Exists } ]
  containers:
    - { name: dyno, imagePullPolicy: Never, image: other, env: [ { name: LANG, value: C.UTF-8 } ] }
    - { name: sidecar, image: sidecar }
"""

class JobManifestTest {
    private fun JsonElement.at(path: String): JsonElement = path.split('.').fold(this) { node, key ->
        if (node is JsonArray) node[key.toInt()] else node.jsonObject.getValue(key)
    }

    private fun JsonElement.text(path: String) = at(path).jsonPrimitive.content

    private fun environment(manifest: JsonObject) = manifest.at("spec.template.spec.containers.0.env").jsonArray.map {
        it.jsonObject
    }
        .associate { it.getValue("name").jsonPrimitive.content to (it["value"] as? JsonPrimitive)?.content }

    @Test
    fun `the Job has an index for each round, and as many pods at once as rounds`() {
        val manifest = jobManifest(ORDER)
        manifest.text("kind") shouldBe "Job"
        manifest.text("spec.completionMode") shouldBe "Indexed"
        manifest.text("spec.completions") shouldBe "2"
        manifest.text("spec.parallelism") shouldBe "2"
        manifest.text("spec.activeDeadlineSeconds") shouldBe "100000"
        environment(manifest) shouldContainAll mapOf(
            "BOOT_DYNO_ROUNDS" to "2 5",
            "BOOT_DYNO_ALL_ROUNDS" to "6",
            "BOOT_DYNO_FLAGS" to "--i-may-load shop.example",
        )
        ORDER.shownRound(1) shouldBe "5/6"
    }

    @Test
    fun `a pod has whole CPUs as requests and limits, and shares its node with no other pod of Boot Dyno`() {
        val spec = jobManifest(ORDER).at("spec.template.spec")
        spec.at("containers.0.resources.requests") shouldBe spec.at("containers.0.resources.limits")
        spec.text("containers.0.resources.limits.cpu") shouldBe "2"
        val apart = spec.at("affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.0")
        apart.text("topologyKey") shouldBe "kubernetes.io/hostname"
        apart.at("labelSelector.matchLabels") shouldBe jobManifest(ORDER).at("spec.template.metadata.labels")
    }

    @Test
    fun `a template adds keys, lists and containers, and replaces none of ours`() {
        val manifest = jobManifest(ORDER.copy(template = KubernetesCluster.template(TEMPLATE)))
        val template = manifest.at("spec.template")
        template.text("metadata.labels.team") shouldBe "shop"
        template.text("spec.hostNetwork") shouldBe "true"
        template.text("spec.restartPolicy") shouldBe "Never"
        template.at("spec.containers").jsonArray.map { it.text("name") } shouldContainExactly listOf("dyno", "sidecar")
        template.text("spec.containers.0.imagePullPolicy") shouldBe "Never"
        template.text("spec.containers.0.image") shouldBe "registry.example/boot-dyno:1"
        environment(manifest) shouldContainAll mapOf("LANG" to "C.UTF-8", "BOOT_DYNO_ROUNDS" to "2 5")
    }

    @Test
    fun `the manifest is printed as YAML`() {
        val yaml = KubernetesCluster.manifest(ORDER)
        yaml shouldContain "kind: \"Job\""
        yaml shouldContain "completionMode: \"Indexed\""
        yaml shouldContain "backoffLimitPerIndex: 3"
    }

    @Test
    fun `the name of a Job has only characters that Kubernetes allows`() {
        jobName("Orders (Köln) v2.yaml", "1a2b") shouldBe "boot-dyno-orders-k-ln-v2-yaml-1a2b"
        jobName("x".repeat(90), "12345678") shouldMatch "[a-z0-9-]{1,52}"
        jobName("注文", "1a2b") shouldBe "boot-dyno-1a2b"
    }
}
