package bootdyno.kubernetes

import bootdyno.cli.KubernetesOptions
import bootdyno.cli.cpusOfPod
import bootdyno.cli.expected
import bootdyno.cli.filesOf
import bootdyno.cli.hashed
import bootdyno.cli.memoryOfPod
import bootdyno.cli.plannedRounds
import bootdyno.cluster.ChangedInput
import bootdyno.cluster.ClusterRun
import bootdyno.cluster.ClusterTrouble
import bootdyno.cluster.CollectedRounds
import bootdyno.cluster.JobOrder
import bootdyno.cluster.KubernetesCluster
import bootdyno.cluster.PodRefused
import bootdyno.cluster.jobName
import bootdyno.cluster.pathInPod
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.measure.imagesOf
import bootdyno.model.Database
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.RunPlace
import bootdyno.plan.planText
import bootdyno.store.InputFile
import bootdyno.store.RunFolder
import bootdyno.store.hiddenIn
import bootdyno.store.mentions
import bootdyno.store.redact
import bootdyno.store.withPaths
import kotlinx.serialization.json.JsonObject
import java.nio.file.Path
import java.time.LocalDateTime
import java.util.UUID
import kotlin.io.path.readText
import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours

/** `run --on kubernetes`: the rounds of a plan in pods, merged into one run folder. */
internal class OnKubernetes(private val options: KubernetesOptions, private val mayLoad: List<String>) {
    /** The Job that measures [plan]. @throws InputProblem if pods cannot measure it */
    fun run(plan: Plan): ClusterRun {
        refuseWhatPodsCannot(plan)
        val files = filesInPods(plan)
        val rounds = plan.experiment.repetition.rounds
        val order = JobOrder(
            name = newJobName(plan.experiment.name),
            rounds = plannedRounds(plan),
            allRounds = rounds,
            nodes = options.nodes ?: rounds,
            image = options.image,
            cpus = options.cpus ?: cpusOfPod(plan),
            memory = options.memory ?: memoryOfPod(plan),
            experiment = "${plan.experiment.name.replace('/', '.')}.yaml",
            flags = mayLoad.flatMap { listOf("--i-may-load", it) },
            deadlineSeconds = deadline(expected(plan)).inWholeSeconds,
            template = template(),
        )
        return ClusterRun(
            order = order,
            context = options.context,
            namespace = options.namespace,
            files = files,
            hidden = hiddenIn(redact(plan)),
        )
    }

    /** The experiment file of [plan] for pods, with the paths that its [files] have there. */
    fun experiment(plan: Plan, files: Map<String, InputFile>): String =
        planText(withPaths(plan, files.entries.associate { (inPod, file) -> file.path to inPod }))

    /** Measures [plan] as [run] says, and merges its rounds into a new run folder in [out]. */
    fun merged(plan: Plan, run: ClusterRun, out: Path, say: (String) -> Unit): RunFolder =
        asClusterInput { KubernetesCluster.connect(options.context, options.namespace) }.use { cluster ->
            val collected = asInput { CollectedRounds.create(out, plan.experiment.name, LocalDateTime.now()) }
            val merged = collected.alone {
                asInput {
                    collected.writeExperiment(experiment(redact(plan), run.files))
                    collected.write(run)
                }
                PodRun(cluster, collected, run, say).merged(experiment(plan, run.files), exists = false)
            }
            checkNotNull(merged) { "another process collects in the new folder ${collected.path}" }
        }

    private fun template(): JsonObject? = options.template?.let { file ->
        try {
            KubernetesCluster.template(file.readText())
        } catch (wrong: IllegalArgumentException) {
            throw InputProblem("$file is no PodTemplateSpec: ${wrong.cause?.message ?: wrong.message}")
        }
    }
}

internal fun newJobName(experiment: String) = jobName(experiment, suffix = "${UUID.randomUUID()}".take(8))

/** Twice the expected time and a day, for nodes that others use first. */
private fun deadline(expected: Duration): Duration = 24.hours + expected * 2

/** The files of [plan] that pods get, by their path there: those that its text names. A command's program is in the image. */
private fun filesInPods(plan: Plan): Map<String, InputFile> {
    val programs = plan.cells.mapNotNull { (it.subject.origin as? Origin.Command)?.words?.firstOrNull() }
    return hashed(filesOf(plan).filter { "${it.path}" !in programs && mentions(plan, "${it.path}") })
        .withIndex().associate { (index, file) -> pathInPod(index + 1, Path.of(file.path)) to file }
}

private fun refuseWhatPodsCannot(plan: Plan) {
    val experiment = plan.experiment
    val needsDocker = when {
        experiment.place is RunPlace.Docker -> "--in docker"
        experiment.database is Database.Container -> "a database in a container"
        experiment.compose != null -> "a compose file"
        imagesOf(plan).isNotEmpty() -> "an image as the subject"
        else -> null
    }
    if (needsDocker != null) {
        throw InputProblem("Pods cannot start containers, and the plan has $needsDocker.\nMeasure the application's jar.")
    }
    val folder = plan.cells.firstNotNullOfOrNull { it.variant.workingDirectory } ?: return
    throw InputProblem("Pods get files, no folders, and the plan has the working directory $folder.\nRemove working-directory.")
}

/** Reports what Kubernetes, a pod or a changed file says against a request as a problem of the input. */
internal fun <T> asClusterInput(action: () -> T): T = try {
    action()
} catch (trouble: ClusterTrouble) {
    throw InputProblem(trouble.message.orEmpty())
} catch (refusal: PodRefused) {
    throw InputProblem(refusal.message.orEmpty())
} catch (changed: ChangedInput) {
    throw InputProblem("${changed.message}.\nRestore it, or start a new run.")
}
