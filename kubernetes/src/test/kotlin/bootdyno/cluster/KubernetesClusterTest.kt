package bootdyno.cluster

import bootdyno.store.InputFile
import io.fabric8.kubernetes.api.model.Pod
import io.fabric8.kubernetes.api.model.StatusBuilder
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder
import io.fabric8.kubernetes.client.ConfigBuilder
import io.fabric8.kubernetes.client.KubernetesClientBuilder
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory
import io.fabric8.kubernetes.client.server.mock.ErrorStreamMessage
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer
import io.fabric8.kubernetes.client.server.mock.OutputStreamMessage
import io.fabric8.kubernetes.client.server.mock.StatusStreamMessage
import io.fabric8.kubernetes.client.utils.Serialization
import io.fabric8.mockwebserver.Context
import io.fabric8.mockwebserver.MockWebServer
import io.fabric8.mockwebserver.ServerRequest
import io.fabric8.mockwebserver.ServerResponse
import io.fabric8.mockwebserver.internal.WebSocketMessage
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.URLEncoder
import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat
import java.util.Queue
import kotlin.io.path.outputStream
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** Against Fabric8's stand-in for the API server. */
class KubernetesClusterTest(@param:TempDir private val scratch: Path) {
    private val responses = HashMap<ServerRequest, Queue<ServerResponse>>()
    private val server = KubernetesMockServer(
        Context(),
        MockWebServer(),
        responses,
        KubernetesMixedDispatcher(responses),
        false,
    ).apply { init() }
    private val client = server.createClient { builder -> builder.withHttpClientFactory(JdkHttpClientFactory()) }
    private val cluster = KubernetesCluster(client)

    @AfterEach
    fun close() {
        cluster.close()
        server.destroy()
    }

    private fun pod(index: Int, status: String, spec: String = "{}") {
        val yaml = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: pod-$index
              namespace: test
              labels: { batch.kubernetes.io/job-name: ${ORDER.name} }
              annotations: { batch.kubernetes.io/job-completion-index: "$index" }
            spec: $spec
            status: $status
        """.trimIndent()
        client.pods().inNamespace("test").resource(Serialization.unmarshal(yaml, Pod::class.java)).create()
    }

    private fun runningPod() {
        val status = """{ phase: Running, conditions: [ { type: Ready, status: "True" } ] }"""
        pod(0, status, "{ nodeName: node-b, containers: [ { name: dyno } ] }")
    }

    private fun pods() = cluster.pods(ORDER.name).sortedBy { it.index }

    private fun exec(script: String, input: Boolean, vararg messages: WebSocketMessage) {
        val words = listOf("sh", "-c", "cd /work && { $script; }").joinToString("&") {
            "command=" + URLEncoder.encode(it, Charsets.UTF_8).replace("+", "%20")
        }
        val stdin = if (input) "&stdin=true" else ""
        if (pods().isEmpty()) runningPod()
        val path = "/api/v1/namespaces/test/pods/pod-0/exec"
        // The mock closes as soon as it has sent what it has planned: sending begins when all is planned.
        val later = messages.map { WebSocketMessage(PLANNED_WITHIN_MS, it.bytes, it.isToBeRemoved, it.isBinary) }
        server.expect().get().withPath("$path?$words&container=dyno$stdin&stdout=true&stderr=true")
            .andUpgradeToWebSocket().open(*later.toTypedArray()).done().always()
    }

    @Test
    fun `a Job is created, seen, and deleted`() {
        cluster.job(ORDER.name) shouldBe null
        cluster.create(ORDER)
        cluster.job(ORDER.name) shouldBe JobSeen(hasEnded = false)
        client.batch().v1().jobs().inNamespace("test").withName(ORDER.name).get().spec.run {
            completions shouldBe 2
            completionMode shouldBe "Indexed"
            backoffLimitPerIndex shouldBe 3
            template.spec.containers.single().resources.limits.getValue("cpu").amount shouldBe "2"
        }
        cluster.delete(ORDER.name) shouldBe true
        cluster.job(ORDER.name) shouldBe null
    }

    @Test
    fun `a failed Job says why`() {
        cluster.create(ORDER)
        client.batch().v1().jobs().inNamespace("test").withName(ORDER.name).editStatus { job ->
            val condition = JobConditionBuilder().withType("Failed").withStatus("True")
                .withReason("DeadlineExceeded").withMessage("It was active too long.").build()
            job.apply { status = JobStatusBuilder().withConditions(condition).build() }
        }
        cluster.job(ORDER.name) shouldBe JobSeen(hasEnded = true, failure = "DeadlineExceeded: It was active too long")
    }

    @Test
    fun `a pod says where it runs, what it waits for, and how it failed`() {
        pods().shouldBeEmpty()
        val node = "{ nodeName: node-b }"
        pod(0, """{ phase: Pending, conditions: [ { type: PodScheduled, status: "False", message: "0/2 nodes fit. More." } ] }""")
        fun status(phase: String, state: String) = "{ phase: $phase, containerStatuses: [ { name: dyno, state: $state } ] }"
        pod(1, status("Pending", "{ waiting: { reason: ImagePullBackOff, message: no } }"), node)
        pod(2, status("Running", "{ running: {} }"), node)
        pod(3, status("Failed", "{ terminated: { exitCode: 137, reason: OOMKilled } }"), node)
        pods() shouldBe listOf(
            PodSeen("pod-0", 0, null, PodPhase.PENDING, waits = "0/2 nodes fit"),
            PodSeen("pod-1", 1, "node-b", PodPhase.PENDING, waits = "ImagePullBackOff: no", lacksImage = true),
            PodSeen("pod-2", 2, "node-b", PodPhase.RUNNING),
            PodSeen("pod-3", 3, "node-b", PodPhase.FAILED, failure = "exit code 137, OOMKilled"),
        )
    }

    @Test
    fun `the log of a pod is its last lines, and empty for a pod that is gone`() {
        server.expect().get().withPath("/api/v1/namespaces/test/pods/pod-0/log?pretty=false&container=dyno&tailLines=400")
            .andReturn(200, "boot-dyno: waits for its inputs\n").always()
        cluster.log("pod-0") shouldBe "boot-dyno: waits for its inputs\n"
        server.expect().get().withPath("/api/v1/namespaces/test/pods/pod-9/log?pretty=false&container=dyno&tailLines=400")
            .andReturn(404, "").always()
        cluster.log("pod-9") shouldBe ""
    }

    @Test
    fun `a run folder is fetched whole or not at all`() {
        val script = "set -e; tar -C runs -cf round.tar .; sha256sum <round.tar >&2; cat round.tar"
        val sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest("a tar".toByteArray()))
        val archive = scratch.resolve("round.tar")
        exec(script, input = false, ErrorStreamMessage("$sum  -\n"), OutputStreamMessage("a tar"), StatusStreamMessage(0))
        cluster.fetch("pod-0", archive)
        archive.readText() shouldBe "a tar"
        server.clearExpectations()
        exec(script, input = false, ErrorStreamMessage("$sum  -\n"), OutputStreamMessage("a t"), StatusStreamMessage(0))
        shouldThrow<ClusterTrouble> { cluster.fetch("pod-0", archive) }.message shouldBe
            "The round of pod pod-0 did not arrive completely."
    }

    @Test
    fun `a command that fails in a pod is reported with what it printed`() {
        exec("echo 0 >verdict.part && mv verdict.part verdict", input = false, OutputStreamMessage(""), StatusStreamMessage(1))
        shouldThrow<ClusterTrouble> { cluster.end("pod-0", 0) }.message.orEmpty() shouldContain "failed with exit code 1"
    }

    @Test
    fun `a missing permission is told in the words of the API server, and trying again does not help`() {
        val said = "jobs.batch is forbidden: User \"dyno\" cannot create resource \"jobs\""
        val refusal = StatusBuilder().withCode(403).withMessage(said).build()
        val path = "/apis/batch/v1/namespaces/test/jobs?fieldValidation=Strict"
        server.expect().post().withPath(path).andReturn(403, refusal).always()
        shouldThrow<ClusterTrouble> { cluster.create(ORDER) }.run {
            refused shouldBe true
            message shouldBe "Kubernetes does not let you create a Job: $said"
        }
    }

    @Test
    fun `a cluster that does not answer is named with its address, and how to name another`() {
        val config = ConfigBuilder().withMasterUrl("http://127.0.0.1:1").withRequestRetryBackoffLimit(0).build()
        val unreachable = KubernetesClientBuilder().withConfig(config).withHttpClientFactory(JdkHttpClientFactory()).build()
        val told = KubernetesCluster(unreachable).use { gone ->
            shouldThrow<ClusterTrouble> { gone.job("any") }.message.orEmpty()
        }
        told shouldStartWith "Kubernetes does not answer at http://127.0.0.1:1"
        told shouldContain "connection refused.\nName a cluster: kubectl config use-context NAME"
    }

    @Test
    fun `the inputs of pods are an archive with the experiment and its files, and a changed file is refused`() {
        val jar = scratch.resolve("app.jar").apply { writeText("a build") }
        val sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest("a build".toByteArray()))
        val files = mapOf(pathInPod(1, jar) to InputFile("subject app", "$jar", sum))
        PodInputs.pack("shop.yaml", "title: Shop\n", files).use { inputs ->
            val archive = scratch.resolve("inputs.tar")
            archive.outputStream().use(inputs::writeTo)
            val listing = ProcessBuilder("tar", "-tf", "$archive").start().inputReader().readText()
            listing shouldBe "in/shop.yaml\nin/files/1/app.jar\n"
        }
        jar.writeText("another build")
        shouldThrow<ChangedInput> { PodInputs.pack("shop.yaml", "", files) }.message.orEmpty() shouldContain "subject app"
    }
}

private const val PLANNED_WITHIN_MS = 100L
