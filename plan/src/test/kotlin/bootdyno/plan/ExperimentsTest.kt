package bootdyno.plan

import bootdyno.keys.OF_EXPERIMENTS
import bootdyno.keys.experimentSchema
import bootdyno.model.CellId
import bootdyno.model.Database
import bootdyno.model.LoadProfile
import bootdyno.model.Measure
import bootdyno.model.MeasuringProtocol
import bootdyno.model.Preset
import bootdyno.model.RuntimeForm
import bootdyno.model.Workload
import bootdyno.schedule.expectedDuration
import bootdyno.yaml.EmptyNode
import bootdyno.yaml.ListNode
import bootdyno.yaml.MapNode
import bootdyno.yaml.Node
import bootdyno.yaml.Problems
import bootdyno.yaml.Read
import bootdyno.yaml.TextNode
import bootdyno.yaml.parseYaml
import io.github.optimumcode.json.schema.JsonSchema
import io.github.optimumcode.json.schema.ValidationError
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource
import java.io.File
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class ExperimentsTest {
    @ParameterizedTest
    @MethodSource("files")
    fun `every experiment in the folder is sound, without warnings`(file: File) {
        val planned = readPlan(file.name, file.readText(), SUBJECTS, ::builtIn, Overrides(), data = ::builtInData)
        planOf(planned)
        (planned as Read.Sound).warnings.shouldBeEmpty()
    }

    @ParameterizedTest
    @MethodSource("files")
    fun `every experiment in the folder, and what it resolves to, fits the schema`(file: File) {
        schemaErrors(file.readText()).shouldBeEmpty()
        schemaErrors(planText(sound(file.readText(), file = file.name))).shouldBeEmpty()
    }

    @Test
    fun `the schema refuses what the reader refuses`() {
        schemaErrors(SMALL).shouldBeEmpty()
        schemaErrors(SMALL.replace("closed", "closd")).shouldNotBeEmpty()
        schemaErrors("$SMALL\nlimits: { cpu-by: pining }").shouldNotBeEmpty()
        schemaErrors(SMALL.replace("closed: 10", "closed: 10, open: 5/s")).shouldNotBeEmpty()
    }

    @Test
    fun `cpu-bound has every figure of the article in both protocols, and the shape of it in nine cells`() {
        val plan = sound(builtIn("cpu-bound").orEmpty(), Overrides(preset = Preset.PAPER), "cpu-bound.yaml")
        val published = plan.experiment.published.groupBy { it.cell.text.substringAfter('@') }
        published.keys shouldBe setOf("article", "steady")
        // Ten rows of seven values and four of four, for throughput and p99 each.
        published.values.map { it.size }.distinct() shouldBe listOf(2 * (10 * 7 + 4 * 4))
        plan.experiment.claims.map { it.text.substringBefore('.') }.distinct() shouldBe (1..6).map { "$it" }
        val quick = sound(builtIn("cpu-bound").orEmpty(), Overrides(preset = Preset.QUICK), "cpu-bound.yaml")
        quick.cells.size shouldBe 9
        quick.cells.map { it.profile.protocol }.distinct() shouldBe listOf(MeasuringProtocol.STEADY)
    }

    @Test
    fun `cpu-bound measures under standard what its claims compare, warm`() {
        val standard = sound(builtIn("cpu-bound").orEmpty(), file = "cpu-bound.yaml")
        val compared = standard.experiment.claims.flatMap { it.cells }.distinct()
        standard.cells.map { it.id } shouldContainExactlyInAnyOrder compared
        standard.cells.map { it.profile.protocol }.distinct() shouldBe listOf(MeasuringProtocol.STEADY)
    }

    @Test
    fun `every sum in cpu-bound is that of the primes up to its limit`() {
        val workloads = sound(builtIn("cpu-bound").orEmpty(), Overrides(preset = Preset.PAPER)).experiment.workloads
        workloads.map { it.parameters.getValue("limit").toInt() to it.parameters.getValue("sum").toLong() }.distinct()
            .forEach { (limit, sum) -> sum shouldBe sumOfPrimes(limit) }
    }

    /** By the sieve of Eratosthenes. */
    private fun sumOfPrimes(limit: Int): Long {
        val composite = BooleanArray(limit + 1)
        return (2..limit).filter { n ->
            if (!composite[n]) (n.toLong() * n..limit step n.toLong()).forEach { composite[it.toInt()] = true }
            !composite[n]
        }.sumOf { it.toLong() }
    }

    @Test
    fun `blocking-io has every row of the article, and those with virtual threads`() {
        sound(builtIn("blocking-io").orEmpty(), Overrides(preset = Preset.PAPER)).cells.size shouldBe 26
        val plan = sound(builtIn("blocking-io").orEmpty())
        plan.cells.size shouldBe 17
        plan.experiment.published.count { it.measure == Measure.THROUGHPUT } shouldBe 12
        plan.experiment.published.count { it.measure == Measure.P99 } shouldBe 12
        plan.cells.map {
            it.workload
        }.distinct().filterNot(Workload::lawLike).map { it.name }.shouldContainExactly("noop", "suspendNoop")
        plan.cells.mapNotNull { it.workload.holds }.distinct().shouldContainExactly(500.milliseconds)
    }

    @Test
    fun `slow-downstream has the five rows of the article, whole, and the loads that tell the best three apart`() {
        val plan = sound(builtIn("slow-downstream").orEmpty(), file = "slow-downstream.yaml")
        val published = plan.experiment.published.groupBy { it.cell.text }
        published.keys.toList().shouldContainExactly(
            "tomcat/downstream@article",
            "tomcat-400/downstream@article",
            "webflux/downstream@article",
            "webflux/downstreamFlow@article",
            "tomcat-executor/downstream@article",
        )
        // Total, requests a second, mean, minimum, 90 % line, maximum, errors.
        published.values.map { it.size }.distinct().shouldContainExactly(7)
        plan.cells.forEach { plan.services(it).map { service -> service.name }.shouldContainExactly("downstream") }
        plan.cells.map { it.profile.name }.distinct() shouldBe listOf(
            "article",
            "clients+connections=2000",
            "clients+connections=5000",
            "arrivals",
        )
        sound(builtIn("slow-downstream").orEmpty(), Overrides(preset = Preset.QUICK)).cells.size shouldBe 8
    }

    @Test
    fun `burst has the article's three runs and its open question, a million requests each, and a quick look`() {
        val plan = sound(builtIn("burst").orEmpty(), file = "burst.yaml")
        plan.experiment.variants.map { it.name }
            .shouldContainExactly("tomcat", "tomcat-few", "tomcat-queue", "tomcat-virtual", "webflux")
        plan.cells.map { it.profile.load }.distinct().shouldContainExactly(LoadProfile.Burst(10_000, 100))
        plan.cells.map { it.profile.protocol }.distinct().shouldContainExactly(MeasuringProtocol.COLD)
        plan.experiment.claims.size shouldBe 11
        val paper = sound(builtIn("burst").orEmpty(), Overrides(preset = Preset.PAPER), "burst.yaml")
        paper.cells.map { it.profile.protocol }.distinct().shouldContainExactly(MeasuringProtocol.COLD, MeasuringProtocol.STEADY)
        // What the text says, cold and warm each.
        paper.experiment.claims.size shouldBe 2 * 11
        val quick = sound(builtIn("burst").orEmpty(), Overrides(preset = Preset.QUICK), "burst.yaml")
        quick.cells.map { it.profile.load to it.profile.protocol }.distinct()
            .shouldContainExactly(LoadProfile.Burst(2_000, 25) to MeasuringProtocol.COLD)
        expectedDuration(quick) shouldBeLessThan 5.minutes
    }

    @Test
    fun `runtime has every form, collector and heap cold and warm, half of it under standard, and a quick look that repeats`() {
        val plan = sound(builtIn("runtime").orEmpty(), Overrides(preset = Preset.PAPER), "runtime.yaml")
        plan.experiment.variants.map { it.runtime }.toSet() shouldBe RuntimeForm.entries.toSet()
        plan.experiment.variants.flatMap { it.jvm }
            .shouldContainExactly("-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC", "-Xmx64m", "-Xmx512m")
        plan.cells.map { it.profile.window }.distinct().shouldContainExactly(10.seconds)
        plan.cells.size shouldBe 2 * 15
        plan.experiment.baseline shouldBe CellId("jar/noop@steady")
        val standard = sound(builtIn("runtime").orEmpty(), file = "runtime.yaml")
        standard.experiment.variants.map { it.runtime }.toSet() shouldBe RuntimeForm.entries.toSet()
        // The plain jars and the executable both ways; a form cold, a collector or heap warm.
        standard.cells.size shouldBe 2 * 3 + 7 + 5
        val quick = sound(builtIn("runtime").orEmpty(), Overrides(preset = Preset.QUICK), "runtime.yaml")
        quick.cells.map { it.id.text }.shouldContainExactly(
            listOf("jar", "extracted", "app-cds", "aot-cache", "spring-aot", "spring-aot-cache", "native", "zgc", "heap-64m")
                .map { "$it/noop" },
        )
        quick.experiment.repetition.rounds shouldBe 3
        // It compares starts, so that all of them are under the CPU limit.
        (plan.cells + quick.cells).all(plan::measuresStartUp) shouldBe true
        // Three of them for an executable, on a machine that can build one.
        expectedDuration(quick) shouldBeLessThan 15.minutes
    }

    @Test
    fun `crud-postgres has the article's twelve rows, what the ORM costs, a load that fills pools, and a quick look`() {
        val plan = sound(builtIn("crud-postgres").orEmpty(), Overrides(preset = Preset.PAPER), "crud-postgres.yaml")
        // Three stacks and two native images, with virtual threads and without; ten clients and a hundred; cold and warm.
        plan.cells.size shouldBe (3 + 2) * 2 * 2 * 2
        val published = plan.experiment.published.groupBy { it.cell.text }
        // On virtual threads it measured cold only.
        published.keys shouldBe listOf("servlet", "webflux", "servlet-native", "webflux-native").flatMap { variant ->
            listOf("$variant/crud@article+cold", "$variant/crud@article+steady", "$variant-virtual/crud@article+cold")
        }.toSet()
        published.values.forEach { row ->
            row.mapNotNull { it.operation }.shouldContainExactly("create", "read", "update", "delete")
            row.filter { it.operation == null }.map { it.measure }
                .shouldContainExactly(Measure.BUILD_TIME, Measure.SIZE, Measure.STARTUP, Measure.RSS, Measure.THROUGHPUT)
        }
        plan.experiment.claims.map { it.text.substringBefore('.') }.distinct() shouldBe (1..5).map { "$it" }
        val standard = sound(builtIn("crud-postgres").orEmpty(), file = "crud-postgres.yaml")
        standard.cells.size shouldBe 17
        standard.cells.map { it.id.text }.shouldContainAll(published.keys)
        standard.experiment.claims shouldBe plan.experiment.claims
        plan.experiment.database shouldBe Database.Embedded("/home/me/../subjects/person/schema.sql")
        plan.experiment.workloads.single().data?.rows shouldBe 1000
        plan.cells.forEach { cell -> cell.style?.pool?.size shouldBe 10 }
        val quick = sound(builtIn("crud-postgres").orEmpty(), Overrides(preset = Preset.QUICK), "crud-postgres.yaml")
        quick.cells.size shouldBe 2 * 2 * 2
        expectedDuration(quick) shouldBeLessThan 6.minutes
    }

    @Test
    fun `quick keeps six cells and what speaks of them alone`() {
        val plan = sound(builtIn("quick").orEmpty(), file = "quick.yaml")
        plan.cells.map { it.id.text }.shouldContainExactly(
            "tomcat/blockingIO",
            "tomcat/suspendIO",
            "tomcat/completableFutureIO",
            "tomcat-virtual/blockingIO",
            "webflux/monoIO1",
            "webflux/monoIO2",
        )
        plan.experiment.baseline shouldBe CellId("tomcat/blockingIO")
        plan.experiment.claims.size shouldBe 5
        plan.experiment.gates.size shouldBe 3
        plan.experiment.published.map { it.cell }.distinct().size shouldBe 5
        plan.cells.none(plan::measuresStartUp) shouldBe true
    }

    @Test
    fun `the example of the documentation is sound and fits the schema`() {
        val example = File("../docs/experiment.md").readText().substringAfter("```yaml\n").substringBefore("```")
        planOf(planned(example, file = "example.yaml")).cells.size shouldBe 4
        schemaErrors(example).shouldBeEmpty()
    }

    private fun schemaErrors(yaml: String): List<String> {
        val errors = mutableListOf<ValidationError>()
        JsonSchema.fromDefinition(
            experimentSchema(),
        ).validate(json(parseYaml("", yaml, Problems(), OF_EXPERIMENTS) ?: error(yaml)), errors::add)
        return errors.map { "${it.objectPath}: ${it.message}" }
    }

    private fun json(node: Node): JsonElement = when (node) {
        is EmptyNode -> JsonNull
        is MapNode -> JsonObject(node.fields.associate { it.name to json(it.value) })
        is ListNode -> JsonArray(node.items.map(::json))
        is TextNode -> scalar(node.text)
    }

    private fun scalar(text: String): JsonPrimitive = text.toBooleanStrictOrNull()?.let(::JsonPrimitive)
        ?: text.toLongOrNull()?.let(::JsonPrimitive)
        ?: text.toDoubleOrNull()?.let(::JsonPrimitive)
        ?: JsonPrimitive(text)

    companion object {
        @JvmStatic
        fun files(): List<File> = EXPERIMENTS.listFiles { file: File -> file.extension == "yaml" }.orEmpty().sorted()
    }
}
