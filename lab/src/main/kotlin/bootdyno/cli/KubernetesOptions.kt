package bootdyno.cli

import bootdyno.keys.ROUNDS
import bootdyno.launch.place
import bootdyno.measure.InputProblem
import bootdyno.model.Bytes
import bootdyno.model.Plan
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.clikt.parameters.types.restrictTo

internal const val POD_IMAGE = "boot-dyno:latest"

private val POD_CPUS = 1..1024
private val QUANTITY = Regex("""[1-9]\d*([KMGT]i|[kMGT])?""")

/** Flags of `run` for rounds in pods. */
class KubernetesOptions : TypedOptions("On Kubernetes") {
    private val on by option("--on", help = "Measure the rounds in pods, one per node (docs/networks.md)").choice("kubernetes")
    val nodes by option(
        metavar = "N",
        help = "The greatest number of pods at once (default: one for each round)",
    ).int().restrictTo(ROUNDS)
    val image by option(
        "--pod-image",
        metavar = "IMAGE",
        help = "The image with Boot Dyno (default $POD_IMAGE)",
    ).default(POD_IMAGE)
    val cpus by option("--pod-cpus", metavar = "N", help = "CPUs of a pod (default: those of subject, load engine and services)")
        .int().restrictTo(POD_CPUS)
    val memory by option("--pod-memory", metavar = "SIZE", help = "Memory of a pod, such as 4Gi (default: the subject's and 2Gi)")
        .convert { text -> if (QUANTITY.matches(text)) text else fail("write 4Gi") }
    val template by option(
        "--pod-template",
        metavar = "FILE",
        help = "A PodTemplateSpec whose keys are added to the pods': tolerations…",
    )
        .path(mustExist = true, canBeDir = false, mustBeReadable = true)
    val context by option(metavar = "NAME", help = "The context of your kubeconfig file (default: the current one)")
    val namespace by option(metavar = "NAME", help = "The namespace of the pods (default: that of the context)")
    val dryRun by option("--dry-run", help = "Print the manifests; nothing is created").flag()

    val chosen: Boolean get() = on != null

    /** @throws InputProblem for flags that have no effect without `--on` */
    fun refuseAlone() {
        if (!chosen && names.isNotEmpty()) {
            throw InputProblem(
                "${names.joinToString()} only has an effect with --on kubernetes.\nAdd --on kubernetes, or remove it.",
            )
        }
    }
}

/** CPUs of a pod for subjects without a CPU limit. */
private const val CPUS_WITHOUT_LIMIT = 2

/** The smallest number of CPUs on which subject, load engine and services of [plan] have CPUs of their own. */
fun cpusOfPod(plan: Plan): Int {
    if (plan.widestLimits.cpus == null) return CPUS_WITHOUT_LIMIT
    val services = hasServices(plan)
    return POD_CPUS.first { cpus ->
        val placement = place(plan.widestLimits, (0 until cpus).toList(), services)
        !placement.shared && (!services || placement.services != placement.engine)
    }
}

/** GiB for Boot Dyno and its load engine, and for services. */
private const val OWN_MEMORY = 2
private const val SERVICES_MEMORY = 1

/** The memory of a pod: the subject's limit, or 1 GiB without one, and that of all others. */
fun memoryOfPod(plan: Plan): String {
    val gib = Bytes.MIB * 1024
    val subject = plan.cells.mapNotNull { it.limits.memory?.count }.maxOrNull() ?: gib
    val all = subject + gib * (OWN_MEMORY + if (hasServices(plan)) SERVICES_MEMORY else 0)
    return "${(all + Bytes.MIB - 1) / Bytes.MIB}Mi"
}

private fun hasServices(plan: Plan) = plan.experiment.services.isNotEmpty() || plan.experiment.database != null
