package bootdyno.kubernetes

import bootdyno.cli.Home
import bootdyno.cli.KubernetesOptions
import bootdyno.cli.RoundsInPods
import bootdyno.cli.dyno
import bootdyno.cli.runCommand
import bootdyno.cluster.KubernetesCluster
import bootdyno.model.Plan
import bootdyno.store.RunFolder
import java.nio.file.Path

/** Boot Dyno with its Kubernetes part; the launchers start it for `--on kubernetes`, and to resume such a run. */
fun main(args: Array<String>) = runCommand(dyno(Home.found(), InPods), args)

internal object InPods : RoundsInPods {
    override fun manifests(plan: Plan, options: KubernetesOptions, mayLoad: List<String>): String =
        KubernetesCluster.manifest(OnKubernetes(options, mayLoad).run(plan).order)

    override fun measured(
        plan: Plan,
        options: KubernetesOptions,
        mayLoad: List<String>,
        out: Path,
        say: (String) -> Unit,
        begun: () -> Unit,
    ): RunFolder {
        val rounds = OnKubernetes(options, mayLoad)
        val run = rounds.run(plan)
        begun()
        return rounds.merged(plan, run, out, say)
    }

    override fun resumed(folder: Path, say: (String) -> Unit): RunFolder = resumeOnKubernetes(folder, say)
}
