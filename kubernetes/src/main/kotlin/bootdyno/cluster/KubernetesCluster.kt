package bootdyno.cluster

import bootdyno.system.Sha256
import bootdyno.system.waitUntil
import io.fabric8.kubernetes.api.model.DeletionPropagation
import io.fabric8.kubernetes.api.model.Pod
import io.fabric8.kubernetes.api.model.PodTemplateSpec
import io.fabric8.kubernetes.api.model.batch.v1.Job
import io.fabric8.kubernetes.client.Config
import io.fabric8.kubernetes.client.KubernetesClient
import io.fabric8.kubernetes.client.KubernetesClientBuilder
import io.fabric8.kubernetes.client.KubernetesClientException
import io.fabric8.kubernetes.client.dsl.FieldValidateable
import io.fabric8.kubernetes.client.dsl.PodResource
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory
import io.fabric8.kubernetes.client.utils.Serialization
import kotlinx.serialization.json.JsonObject
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.OutputStream
import java.net.ConnectException
import java.net.UnknownHostException
import java.nio.channels.UnresolvedAddressException
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

private const val OF_JOB = "batch.kubernetes.io/job-name"
private const val NOT_FOUND = 404
private const val LONGEST_LOG = 400

/** Time for the transfer of a run folder, or of the user's files. */
private const val TRANSFER_MINUTES = 10L

/** [Cluster] by Fabric8's client. */
class KubernetesCluster(private val client: KubernetesClient) : Cluster {
    private val namespace: String = client.namespace ?: "default"

    override val title: String
        get() = client.configuration.currentContext?.name?.let { "$it, namespace $namespace" } ?: "namespace $namespace"

    override fun create(order: JobOrder): Unit = explained("create a Job") {
        client.resource(job(order)).inNamespace(namespace).fieldValidation(FieldValidateable.Validation.STRICT).create()
    }

    override fun job(name: String): JobSeen? = explained("show the Job $name") {
        jobs(name).get()?.let(::seen)
    }

    override fun pods(job: String): List<PodSeen> = explained("list the pods of $job") {
        client.pods().inNamespace(namespace).withLabel(OF_JOB, job).list().items.mapNotNull(::seen)
    }

    override fun log(pod: String): String = try {
        pod(pod).inContainer(CONTAINER).tailingLines(LONGEST_LOG).log.orEmpty()
    } catch (absent: KubernetesClientException) {
        // Not there any more, or its container does not run yet.
        if (absent.code == NOT_FOUND || absent.code == BAD_REQUEST) "" else throw trouble("read the log of $pod", absent)
    }

    /** The number of bytes ends the transfer, because not every API server passes on the end of the input. */
    override fun send(pod: String, inputs: PodInputs) {
        val script = "set -e; head -c ${inputs.bytes} >inputs.tar; " +
            "[ \"$(sha256sum <inputs.tar | cut -d' ' -f1)\" = ${inputs.sha256} ]; " +
            "[ -f inputs.complete ] || tar -xf inputs.tar; rm inputs.tar; touch inputs.complete"
        run(pod, script, inputs, OutputStream.nullOutputStream())
    }

    override fun fetch(pod: String, archive: Path) {
        val script = "set -e; tar -C runs -cf round.tar .; sha256sum <round.tar >&2; cat round.tar"
        val saved = SavedOutput(archive)
        val received = Sha256(saved)
        val printed = received.use { run(pod, script, null, it) }
        saved.throwFailure()
        val sent = printed.substringBefore(' ').trim()
        if (sent != received.hex()) throw ClusterTrouble("The round of pod $pod did not arrive completely.", refused = false)
    }

    override fun end(pod: String, exitCode: Int) {
        run(pod, "echo $exitCode >verdict.part && mv verdict.part verdict", null, OutputStream.nullOutputStream())
    }

    override fun delete(job: String): Boolean = explained("delete the Job $job") {
        jobs(job).withPropagationPolicy(DeletionPropagation.FOREGROUND).delete()
        waitUntil(DELETED_WITHIN, every = 200.milliseconds) { jobs(job).get() == null }
    }

    override fun close() = client.close()

    private fun jobs(name: String) = client.batch().v1().jobs().inNamespace(namespace).withName(name)

    private fun pod(name: String): PodResource = client.pods().inNamespace(namespace).withName(name)

    /** Runs a shell [script] in `/work` of [pod], and returns what it prints to stderr. */
    private fun run(pod: String, script: String, input: PodInputs?, output: OutputStream): String = explained("use pod $pod") {
        val errors = ByteArrayOutputStream()
        val container = pod(pod).inContainer(CONTAINER).withReadyWaitTimeout(0)
        val streams = if (input == null) container.writingOutput(output) else container.redirectingInput().writingOutput(output)
        streams.writingError(errors).exec("sh", "-c", "cd $WORK && { $script; }").use { running ->
            input?.let {
                it.writeTo(running.input)
                running.input.flush()
            }
            val code = try {
                running.exitCode().get(TRANSFER_MINUTES, TimeUnit.MINUTES)
            } catch (_: TimeoutException) {
                throw ClusterTrouble("A command in pod $pod did not end within $TRANSFER_MINUTES min.", refused = false)
            } catch (failed: ExecutionException) {
                throw ClusterTrouble("A command in pod $pod failed: ${failed.cause?.message}.", refused = false, failed)
            } ?: throw ClusterTrouble("The connection to pod $pod ended before the command in it did.", refused = false)
            if (code != 0) {
                val printed = errors.toString().trim()
                throw ClusterTrouble("A command in pod $pod failed with exit code $code: $printed.", refused = false)
            }
            errors.toString()
        }
    }

    private fun <T> explained(what: String, action: () -> T): T = try {
        action()
    } catch (failure: KubernetesClientException) {
        throw trouble(what, failure)
    }

    private fun trouble(what: String, failure: KubernetesClientException): ClusterTrouble {
        val server = client.masterUrl
        val why = failure.status?.message ?: innermost(failure)
        return when (failure.code) {
            in NO_ANSWER -> ClusterTrouble("Kubernetes does not answer at $server: $why.$HOW_TO_NAME", refused = false, failure)
            FORBIDDEN, UNAUTHORIZED -> ClusterTrouble("Kubernetes does not let you $what: $why", refused = true, failure)
            in CLIENT_ERRORS -> ClusterTrouble("Kubernetes refuses to $what: $why", refused = failure.code in LASTING, failure)
            else -> ClusterTrouble("Kubernetes failed to $what: $why", refused = false, failure)
        }
    }

    companion object {
        private const val HOW_TO_NAME = "\nName a cluster: kubectl config use-context NAME, or KUBECONFIG=FILE."
        private val NO_ANSWER = -1..0
        private const val BAD_REQUEST = 400
        private const val UNAUTHORIZED = 401
        private const val FORBIDDEN = 403
        private const val UNPROCESSABLE = 422
        private val LASTING = setOf(BAD_REQUEST, UNPROCESSABLE)
        private val CLIENT_ERRORS = 400..499
        private val DELETED_WITHIN = 15.seconds

        /** By the user's kubeconfig. @throws ClusterTrouble for an unknown [context] */
        fun connect(context: String?, namespace: String?): KubernetesCluster {
            // Its failures are reported by us.
            System.setProperty("org.slf4j.simpleLogger.log.io.fabric8", "off")
            val config = Config.autoConfigure(context)
            if (context != null && config.currentContext?.name != context) {
                val names = config.contexts.orEmpty().map { it.name }
                throw ClusterTrouble("Your kubeconfig file has no context $context, but ${names.joinToString()}.", refused = true)
            }
            namespace?.let { config.namespace = it }
            config.requestRetryBackoffLimit = 1
            return KubernetesCluster(
                KubernetesClientBuilder().withConfig(config).withHttpClientFactory(JdkHttpClientFactory()).build(),
            )
        }

        private fun job(order: JobOrder): Job = Serialization.unmarshal("${jobManifest(order)}", Job::class.java)

        /** The manifest of [order] as YAML. */
        fun manifest(order: JobOrder): String = Serialization.asYaml(job(order))

        /** Reads a pod template from YAML or JSON. @throws IllegalArgumentException */
        fun template(text: String): JsonObject = jsonOf(text, PodTemplateSpec::class.java)
    }
}

/** Writes to [file]. A failure, as of a full disk, is thrown by [throwFailure]: the client would take it for one of the connection. */
private class SavedOutput(file: Path) : OutputStream() {
    private val out = Files.newOutputStream(file).buffered()
    private var failure: IOException? = null

    override fun write(byte: Int) = trying { out.write(byte) }

    override fun write(bytes: ByteArray, offset: Int, length: Int) = trying { out.write(bytes, offset, length) }

    override fun close() = trying { out.close() }

    fun throwFailure() {
        failure?.let { throw it }
    }

    private fun trying(action: () -> Unit) {
        if (failure != null) return
        try {
            action()
        } catch (full: IOException) {
            failure = full
        }
    }
}

private fun seen(job: Job): JobSeen {
    val conditions = job.status?.conditions.orEmpty().filter { it.status == "True" }
    val failed = conditions.find { it.type == "Failed" }
    return JobSeen(
        hasEnded = conditions.any { it.type == "Failed" || it.type == "Complete" },
        failure = failed?.let { listOfNotNull(it.reason, it.message).joinToString(": ").removeSuffix(".") },
    )
}

private val USUAL = setOf("ContainerCreating", "PodInitializing")
private val LACKS_IMAGE = setOf("ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName")

/** Null for a pod without an index, which is none of ours. */
private fun seen(pod: Pod): PodSeen? {
    val index = pod.metadata.annotations.orEmpty()["batch.kubernetes.io/job-completion-index"]?.toIntOrNull() ?: return null
    val state = pod.status?.containerStatuses.orEmpty().find { it.name == CONTAINER }?.state
    val waiting = state?.waiting?.takeIf { it.reason !in USUAL }
    val ended = state?.terminated
    val unscheduled = pod.status?.conditions.orEmpty().find { it.type == "PodScheduled" && it.status == "False" }
    return PodSeen(
        name = pod.metadata.name,
        index = index,
        node = pod.spec?.nodeName,
        phase = PodPhase.entries.find { it.name.equals(pod.status?.phase, ignoreCase = true) } ?: PodPhase.PENDING,
        waits = waiting?.let { listOfNotNull(it.reason, it.message).joinToString(": ") }
            ?: unscheduled?.message?.substringBefore(". "),
        lacksImage = waiting?.reason in LACKS_IMAGE,
        isLeaving = pod.metadata.deletionTimestamp != null,
        failure = ended?.run { listOfNotNull("exit code $exitCode", reason.takeIf { it != "Error" }).joinToString() }
            ?: listOfNotNull(pod.status?.reason, pod.status?.message).joinToString(": ").ifEmpty { null },
    )
}

/** The first cause of [failure], in words: those around it only say that an error has occurred. */
internal fun innermost(failure: Throwable): String {
    val causes = generateSequence(failure.cause) { it.cause }.toList()
    return when {
        causes.any { it is UnknownHostException || it is UnresolvedAddressException } -> "the host is unknown"
        causes.any { it is ConnectException } -> "connection refused"
        else -> causes.lastOrNull()?.let { it.message ?: it.javaClass.simpleName } ?: failure.message.orEmpty()
    }
}
