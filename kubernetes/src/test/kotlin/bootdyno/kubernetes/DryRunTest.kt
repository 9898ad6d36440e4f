package bootdyno.kubernetes

import bootdyno.cli.Home
import bootdyno.cli.dyno
import bootdyno.measure.ExitCode
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.writeText

class DryRunTest(@param:TempDir private val scratch: Path) {
    private fun experiment(limits: String, more: String = ""): Path = scratch.resolve("small.yaml").apply {
        writeText(
            """
            title: Small
            question: Is it small?
            limits: { $limits }
            preset: standard
            variants:
              app: { subject: { jar: ${scratch.resolve("app.jar").apply { writeText("a build") }} } }
            workloads:
              work: { get: /work }
            profiles:
              few: { closed: 4 }
            $more
            """.trimIndent(),
        )
    }

    private fun dryRun(experiment: Path, vararg flags: String) =
        dyno(Home(scratch), InPods).test(listOf("run", "$experiment", "--on", "kubernetes", "--dry-run") + flags)

    @Test
    fun `the dry run prints a Job with the CPUs of subject and load engine, exactly the rounds of the preset, and no secret`() {
        val printed = dryRun(experiment("cpus: 1, memory: 512 MiB"))
        printed.statusCode shouldBe ExitCode.FINE
        printed.stdout shouldContain "completions: 6"
        printed.stdout shouldContain "parallelism: 6"
        printed.stdout shouldContain "cpu: \"2\""
        printed.stdout shouldContain "memory: \"2560Mi\""
        val quota = dryRun(experiment("cpus: 2, cpu-by: quota"), "--nodes", "3", "--rounds", "4", "--pod-image", "mine:1")
        quota.stdout shouldContain "cpu: \"4\""
        quota.stdout shouldContain "parallelism: 3"
        quota.stdout shouldContain "mine:1"
    }

    @Test
    fun `more CPUs than this machine has are no problem, and flags that contradict pods are`() {
        dryRun(experiment("cpus: 400")).stdout shouldContain "cpu: \"401\""
        dryRun(experiment("cpus: 1"), "--round", "1/3").stderr shouldContain "--on kubernetes measures all"
        dryRun(experiment("cpus: 1"), "--in", "docker").stderr shouldContain "Pods cannot start containers"
        dryRun(experiment("cpus: 1", "max-rounds: 9")).stderr shouldContain "max-rounds"
        val template = scratch.resolve("template.yaml").apply { writeText("spec: [ 1 ]") }
        dryRun(experiment("cpus: 1"), "--pod-template", "$template").stderr shouldContain "is no PodTemplateSpec"
    }

    @Test
    fun `the program without its Kubernetes part says how it is started`() {
        dyno(
            Home(scratch),
        ).test(listOf("run", "${experiment("cpus: 1")}", "--on", "kubernetes", "--dry-run")).stderr shouldContain
            "This program was started without its Kubernetes part."
    }
}
