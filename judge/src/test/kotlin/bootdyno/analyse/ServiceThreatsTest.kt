package bootdyno.analyse

import bootdyno.model.CallsFound
import bootdyno.model.CpuBy
import bootdyno.model.DatabaseFound
import bootdyno.model.Limits
import bootdyno.model.Metric
import bootdyno.model.ServedCounts
import bootdyno.model.ServiceFound
import bootdyno.model.TrialFacts
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test

class ServiceThreatsTest {
    /** The load generator has CPU 0 and uses 0.1 of it, the subject CPU 1; the whole machine is busy with 0.9. */
    private val busy: Map<Metric, (Double) -> Double> = mapOf(
        Metric.CPU to { 0.3 * it },
        Metric.MACHINE_CPU to { 0.9 * it },
        Metric.ENGINE_CPU to { 0.1 * it },
    )

    private fun trial(vararg services: ServiceFound, servicesCpu: Double? = 0.45, leftBefore: Long = 0): TrialFacts {
        val cpu = if (servicesCpu == null) emptyMap() else mapOf(Metric.SERVICES_CPU to { at: Double -> servicesCpu * at })
        return testTrial(
            series = series(busy + cpu),
            limits = limitsFound(cpuList = "1", engineCpuList = "0"),
            load = testLoad().copy(leftBefore = leftBefore),
            latencies = latencies(List(100) { 10L }),
        ).recorded { copy(services = services.toList()) }
    }

    private fun service(window: CallsFound? = null, cpuList: String? = "2") =
        ServiceFound("slow", 7, listOf("java"), null, emptyMap(), cpuList, window = window)

    /** It had served 100 before and serves [received] more, while the engine sent [sent] and had [answered] of them answered. */
    private fun window(received: Long, answered: Long?, sent: Long?) =
        CallsFound(ServedCounts(9.0, 100, 100, 0), ServedCounts(21.0, 100 + received, 100 + received, 0), answered, sent)

    private fun threatsOf(trial: TrialFacts, calls: Int = 1): List<Threat> {
        val cell = testCell(baseline, limits = Limits(1.0, null, CpuBy.QUOTA)).let {
            it.copy(workload = it.workload.copy(calls = calls))
        }
        return threatsOf(trial, cell)
    }

    private fun disagreement(window: CallsFound, calls: Int = 1): Threat? =
        threatsOf(trial(service(window)), calls).find { it.kind == Threat.Kind.COUNTS_DISAGREE }

    @Test
    fun `what services use is not foreign`() {
        threatsOf(trial(service())).shouldBeEmpty()
        threatsOf(trial(service(), servicesCpu = null)).single().kind shouldBe Threat.Kind.FOREIGN_CPU
    }

    @Test
    fun `a service beside the load generator takes of its CPU, one elsewhere does not`() {
        threatsOf(trial(service(cpuList = "2"), servicesCpu = 0.85)).shouldBeEmpty()
        val threat = threatsOf(trial(service(cpuList = "0"), servicesCpu = 0.85)).single()
        threat.kind shouldBe Threat.Kind.LOAD_GENERATOR
        // 1 s of CPU in a window of 10 s, and 0.85 beside it.
        threat.sentence shouldContain "The load generator and the services on its CPUs used 95 % of 1 CPU"
    }

    @Test
    fun `a service on the subject's CPU is said`() {
        threatsOf(trial(service(cpuList = "0-1"))).single().sentence shouldContain
            "The application and the load generator or services shared CPU 1"
    }

    @Test
    fun `a busy database is the limit, alone or with the load generator beside it, and no fault of the generator`() {
        fun on(cpuList: String, cpu: Double) = database(cpuList).let { trial(servicesCpu = cpu).recorded { copy(database = it) } }
        threatsOf(on("2", 0.85)).shouldBeEmpty()
        threatsOf(on("2", 0.95)).single().sentence shouldContain
            "The database used 95 % of 1 CPU and limited the throughput"
        threatsOf(on("0", 0.75)).shouldBeEmpty()
        val beside = threatsOf(on("0", 0.85)).single()
        beside.kind shouldBe Threat.Kind.DATABASE_BUSY
        beside.sentence shouldContain "The database and the load generator on its CPUs used 95 % of 1 CPU"
        threatsOf(on("0-1", 0.45)).single().sentence shouldContain
            "The application and the load generator or services shared CPU 1"
    }

    private fun database(cpuList: String) = DatabaseFound("18.1", "127.0.0.1:5432/postgres", 8, cpuList, emptyMap(), 1.0, 0.1)

    @Test
    fun `both ends may differ by what failed or was in flight, and by 1 percent`() {
        // 1,000 answered of 1,200 sent: 990 to 1,212 calls are possible.
        listOf(990L, 1000L, 1200L, 1212L).forEach { disagreement(window(it, 1000, 1200)) shouldBe null }
        disagreement(window(989, 1000, 1200)).shouldNotBeNull().sentence shouldBe
            "The service slow received 989 calls for 1,200 requests, 1,000 of them answered: some answers came without a call."
        disagreement(window(1213, 1000, 1200)).shouldNotBeNull().sentence shouldContain "some requests made several calls"
    }

    @Test
    fun `a workload may say that it calls more than once, or never`() {
        disagreement(window(2000, 1000, 1000), calls = 2) shouldBe null
        disagreement(window(0, 1000, 1000), calls = 0) shouldBe null
        disagreement(window(0, 1000, 1000)).shouldNotBeNull()
        disagreement(window(1, 1000, 1000), calls = 0).shouldNotBeNull()
    }

    @Test
    fun `requests left over from the warm-up may still come`() {
        val left = trial(service(window(1040, 1000, 1000)), leftBefore = 40)
        threatsOf(left).map { it.kind } shouldBe listOf(Threat.Kind.NOT_DRAINED)
    }

    @Test
    fun `an engine that does not tell how far it is cannot be checked`() {
        disagreement(window(5, null, null)) shouldBe null
    }
}
