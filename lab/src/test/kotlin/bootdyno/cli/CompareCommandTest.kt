package bootdyno.cli

import bootdyno.launch.prepare.commitIn
import bootdyno.launch.standInJar
import bootdyno.measure.ExitCode
import bootdyno.model.LoadProfile
import bootdyno.model.Plan
import bootdyno.model.Trial
import bootdyno.plan.planText
import bootdyno.probe.environment
import bootdyno.store.SampleRun
import bootdyno.store.keep
import com.github.ajalt.clikt.testing.CliktCommandTestResult
import com.github.ajalt.clikt.testing.test
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.createDirectory
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** `compare` up to where a measurement would begin, and of two runs. */
class CompareCommandTest(@param:TempDir private val folder: Path) {
    private val closed = SampleRun.plan.run {
        copy(
            experiment = experiment.copy(gates = emptyList(), claims = emptyList()),
            cells = cells.take(1).map { it.copy(profile = it.profile.copy(load = LoadProfile.Closed(400))) },
        )
    }

    private fun dyno(vararg words: String): CliktCommandTestResult = dyno(Home(folder)).test(words.toList())

    private fun refused(vararg words: String): String =
        dyno("compare", *words).also { it.statusCode shouldBe ExitCode.INPUT }.stderr

    /** A run of the same cell with these answered requests, one trial a round. */
    private fun run(name: String, vararg answered: Long, plan: Plan = closed, cpus: Int? = null): String {
        val run = SampleRun.folder(folder.resolve("runs"), name, plan, planText(plan), day = 23)
        run.writeEnvironment(environment().let { if (cpus == null) it else it.copy(cpus = cpus) })
        answered.forEachIndexed { index, count ->
            run.keep(SampleRun.outcome(Trial(index + 1, index + 1, plan.cells.first().id), count))
        }
        return "${run.path}"
    }

    private val base by lazy { run("base", 100_000, 100_300, 99_700, 100_100) }

    @Test
    fun `two runs end with 0 if the newer one is the same or better, 3 if it is worse, 4 if that is undecided`() {
        fun compared(vararg answered: Long) = dyno("compare", base, run("head", *answered))
        compared(100_000, 100_200, 99_900).run {
            statusCode shouldBe ExitCode.FINE
            stdout shouldContain "Yes: as fast as before."
            stdout shouldContain "The runs were not measured in the same rounds"
        }
        compared(90_000, 90_200, 89_900).run {
            statusCode shouldBe ExitCode.GATE_FAILED
            stdout shouldContain "No: 10 % fewer requests/s"
        }
        compared(90_000, 105_000, 99_900).statusCode shouldBe ExitCode.UNDECIDED
        compared(90_000).statusCode shouldBe ExitCode.UNDECIDED
    }

    @Test
    fun `a rule decides what is worse, and one document says all of it`() {
        val head = run("head", 98_000, 98_100, 97_900)
        dyno("compare", base, head).statusCode shouldBe ExitCode.FINE
        val said = dyno("compare", base, head, "--fail-on", "throughput slower by 1 %", "--json")
        said.statusCode shouldBe ExitCode.GATE_FAILED
        val json = Json.parseToJsonElement(said.stdout).jsonObject
        json.getValue("result").jsonPrimitive.content shouldBe "worse"
        val gate = json.getValue("gates").jsonArray.single().jsonObject
        gate.getValue("outcome").jsonPrimitive.content shouldBe "fail"
        val metrics = json.getValue("comparisons").jsonArray.map { it.jsonObject.getValue("metric").jsonPrimitive.content }
        metrics shouldContain "throughput"
    }

    @Test
    fun `report shows several runs side by side, each against the first, and has no rule by which one could fail`() {
        val worse = run("worse", 90_000, 90_200, 89_900)
        val again = run("again", 100_000, 100_200, 99_900)
        dyno("report", base, worse, again, "--format", "md").run {
            statusCode shouldBe ExitCode.FINE
            stdout shouldContain "| run 3 | 3 ÷ 1 |"
        }
        dyno("report", base, worse, "--format", "html").stdout shouldContain "Is the newer run as fast as the older one?"
        dyno("report", base, worse, "--json").stdout shouldBe dyno("compare", base, worse, "--json").stdout
        dyno("report", base, worse, again).stdout shouldContain "2 ÷ 1"
        dyno("report", base, run("nothing")).run {
            stdout shouldContain "Not measured: throughput."
            statusCode shouldBe ExitCode.TRIAL_FAILED
        }
        dyno("report", base, worse, again, "--json").stderr shouldContain "Several runs are shown side by side"
        dyno("report", base, worse, "--format", "csv").stderr shouldContain "For other formats and --history give one run."
        dyno("report", base, run("elsewhere", 100_000, cpus = 999)).statusCode shouldBe ExitCode.INPUT
    }

    @Test
    fun `runs of other machines, of other cells and of another load are refused, and so are flags that measure`() {
        refused(base, run("elsewhere", 100_000, cpus = 999)) shouldContain "number of CPUs"
        val load = closed.copy(cells = closed.cells.map { it.copy(profile = it.profile.copy(load = LoadProfile.Closed(7))) })
        refused(base, run("other-load", 100_000, plan = plan(load))) shouldContain "differs in its load."
        refused(base, base, "--path", "/x") shouldContain "Two run folders are judged, and nothing is measured"
        refused(base, base, "--fail-on", "speed slower by 3 %") shouldContain "`speed` is not a measure"
        refused(base, "$folder") shouldContain "is no run folder"
    }

    /** With the profile of its cell, as plans are written. */
    private fun plan(of: Plan): Plan = of.copy(experiment = of.experiment.copy(profiles = of.cells.map { it.profile }))

    @Test
    fun `two builds are of one kind, and are all that is compared`() {
        val jar = "${standInJar(folder.resolve("old").createDirectories())}"
        val directory = "${folder.resolve("directory").createDirectory()}"
        refused(jar, directory) shouldContain "are of different kinds"
        refused(jar, "shop/orders:1.4") shouldContain "are of different kinds"
        refused(jar, jar, "--build", "make") shouldContain "--build is for two commits, and $jar is a jar."
        refused(jar, jar, "--vary", "a=1,2") shouldContain "`compare` compares two builds, and nothing else."
        refused(jar, jar, "--url", "http://127.0.0.1:1") shouldContain "--url names one application."
        refused(jar, jar, "--path", "/x", "--fail-on", "faster") shouldContain "--fail-on faster: is not a rule"
        refused(jar, "$folder/none.jar", "--path", "/x") shouldContain "There is no file $folder/none.jar."
        val text = folder.resolve("app.zip").apply { writeText("") }
        refused("$text", "$text") shouldContain "is neither a jar nor a run folder."
        refused("no-such-commit", "no-such-commit", "--build", "make") shouldContain "is no commit of the git repository"
    }

    @Test
    fun `the flags of an application are those of both builds, and the file that they are short for is written`() {
        val old = "${standInJar(folder.resolve("old").createDirectories())}"
        val new = "${standInJar(folder.resolve("new").createDirectories())}"
        val file = folder.resolve("builds.yaml")
        val flags = arrayOf("--path", "/x", "--setting", "a.b=c", "--java", "7", "--slo", "p99 < 200ms", "--budget", "2m")
        refused(old, new, *flags, "--fail-on", "capacity lower by 5 %", "--write-experiment", "$file") shouldContain
            "There is no JDK 7"
        val text = file.readText()
        listOf(old, new, "budget: 2 min", "p99 < 200 ms", "head/x.capacity >= 0.95 * base/x.capacity").forEach {
            text shouldContain it
        }
        Regex("a\\.b: c").findAll(text).count() shouldBe 2
        refused("shop/orders:1.4", "shop/orders:1.5", "--path", "/x", "--java", "21") shouldContain
            "an image runs as it was built"
    }

    @Test
    fun `a wrong rule and a capacity without an objective are refused before anything is built`() {
        val built = folder.resolve("built")
        fun told(rule: String) = refused("compare-base", "compare-head", "--build", "touch $built", "--fail-on", rule)
        told("throughput slowly by 3 %") shouldContain "throughput slowly by 3 %"
        told("capacity lower by 5 %") shouldContain "--slo"
        built.exists() shouldBe false
    }

    @Test
    fun `two runs have a page, too, with the same verdict`() {
        val page = folder.resolve("compared.html")
        dyno("compare", base, run("head", 90_000, 90_200, 89_900), "--html", "$page").statusCode shouldBe ExitCode.GATE_FAILED
        val html = page.readText()
        html shouldContain "No: 10 % fewer requests/s."
        html shouldContain "✗ Worse"
        html shouldContain "tile-next"
        refused("a.jar", "b.jar", "--html", "$page") shouldContain "--html is for two run folders"
    }

    @Test
    fun `names that are neither files nor images do not ask for Docker`() {
        val told = refused("no-such-a", "no-such-b")
        told shouldContain "There is no jar, run folder or commit `no-such-a` here."
        told shouldNotContain "Docker"
    }

    @Test
    fun `commits without a build command are told of it`() {
        assumeTrue(commitIn(Path("").toAbsolutePath(), "HEAD") != null, "not in a git repository")
        refused("HEAD", "HEAD") shouldContain "HEAD is a commit.\nSay how to build it: --build 'mvn -q package'."
    }
}
