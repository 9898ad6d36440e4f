package bootdyno.cli

import bootdyno.measure.InputProblem
import bootdyno.model.Plan
import bootdyno.store.RunFolder
import java.nio.file.Path
import kotlin.io.path.isRegularFile

/** Rounds in pods of Kubernetes. They are in a module of their own, because its client is large and few commands need it. */
interface RoundsInPods {
    /** The manifests that [measured] would create for [plan], as YAML. @throws InputProblem */
    fun manifests(plan: Plan, options: KubernetesOptions, mayLoad: List<String>): String

    /**
     * Measures [plan] and merges its rounds into a new run folder in [out]; calls [begun] when pods can measure the plan.
     * @throws InputProblem
     */
    fun measured(
        plan: Plan,
        options: KubernetesOptions,
        mayLoad: List<String>,
        out: Path,
        say: (String) -> Unit,
        begun: () -> Unit,
    ): RunFolder

    /** Measures the missing rounds of the run in [folder], and merges all. @throws InputProblem */
    fun resumed(folder: Path, say: (String) -> Unit): RunFolder
}

/** Whether the rounds of a run on Kubernetes are in [folder]. */
internal fun isFromPods(folder: Path): Boolean = folder.resolve(RunFolder.PODS).isRegularFile()

/** The launchers add it for the flags that need it. */
internal fun RoundsInPods?.orRefused(): RoundsInPods =
    this ?: throw InputProblem("This program was started without its Kubernetes part.\nStart it with $COMMAND.")
