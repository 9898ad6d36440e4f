package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.model.DataTable
import bootdyno.model.LoadProfile
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.math.ceil
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.DurationUnit

/**
 * The plan for one order, as JMeter's GUI would save it.
 *
 * Closed load: a thread for each connection, started within half of the settling time, each asking again when answered, until
 * it is told to stop just after the window, so that every thread still works when that ends. A burst: a thread for each user, all
 * started at once, one after the other as fast as JMeter can. Each thread keeps its connection (implementation HttpClient4, no
 * reset between iterations); an answer must have the expected status, body and content type; redirects are not followed.
 *
 * Each step is a sampler, with the row of [rows] as a CSV data set; one that fails begins the next loop.
 *
 * [shares] remote engines get an equal part of the threads each. The timeout is JMeter's: for connecting, and for each wait for
 * bytes of the answer, not for the whole of it.
 */
internal class GeneratedPlan(
    private val order: LoadOrder,
    private val shares: Int,
    private val warmUp: WarmUpServer?,
    rows: DataTable? = null,
) {
    private val text = PlanText()
    private val profile = order.load
    private val chain = PlanChain(order, rows, text)

    val properties: Map<String, String> get() = text.named

    /** Threads of all engines together. */
    val users: Int = when (profile) {
        is LoadProfile.Closed -> profile.connections
        is LoadProfile.Burst -> profile.users
        is LoadProfile.Open -> throw EngineFailed("JMeter asks again when answered: it has no open load. Take another engine.")
    }
    private val share: Int = shareOf(users)

    val length: RunLength = when (profile) {
        is LoadProfile.Burst -> RunLength(Duration.ZERO, order.window, lasts = false, stopAfter = order.window + MORE + ending())
        else -> RunLength(order.settle, order.window, lasts = true, stopAfter = order.settle + order.window + A_LITTLE)
    }

    private fun shareOf(total: Int): Int {
        if (total <= 0) throw EngineFailed("$total users make no load.")
        if (total % shares != 0) throw EngineFailed("$total users cannot be shared evenly by $shares remote engines.")
        return total / shares
    }

    /**
     * From the end of sending until the last thread must have had its answer or its timeout; connecting and waiting each have
     * one.
     */
    private fun ending(): Duration = order.timeout * 2 + 5.seconds

    /** Writes the plan and what it reads into [folder]; @return the plan */
    fun writeInto(folder: Path): Path {
        val data = folder.resolve("data.csv")
        if (chain.needed.isNotEmpty()) data.writeText(chain.csv())
        return folder.resolve("plan.jmx").also { it.writeText(write(data)) }
    }

    private fun write(data: Path): String = """
        |<?xml version="1.0" encoding="UTF-8"?>
        |<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">
        |  <hashTree>
        |    <TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="Boot Dyno" enabled="true">
        |      <elementProp name="TestPlan.user_defined_variables" elementType="Arguments">
        |        <collectionProp name="Arguments.arguments"/>
        |      </elementProp>
        |    </TestPlan>
        |    <hashTree>
        |${warmUp?.let(::warmUpGroup).orEmpty()}
        |${mainGroup(data)}
        |    </hashTree>
        |  </hashTree>
        |</jmeterTestPlan>
    """.trimMargin()

    private fun mainGroup(data: Path): String {
        val burst = profile as? LoadProfile.Burst
        val last = if (burst != null) order.window + MORE else order.settle + order.window + MORE
        val shape = Shape(share, if (burst != null) 0 else rampUp(), burst?.requestsEach ?: FOR_EVER, last)
        val asked = dataSet(chain.needed, data) + chain.requests.joinToString("", transform = PlanRequest::write)
        return group("ThreadGroup", "load", shape, asked)
    }

    /** Samples of the warm-up carry a message that keeps them out of every count, JMeter's own included. */
    private fun warmUpGroup(server: WarmUpServer): String = group(
        "SetupThreadGroup",
        "warm-up",
        Shape(minOf(share, WARM_UP_USERS), 0, FOR_EVER, server.length),
        PlanRequest(
            name = "warm-up",
            host = "127.0.0.1",
            port = server.port,
            method = "GET",
            path = "/",
            headers = order.steps.first().headers.map { (name, value) -> text.of(name) to text.of(value) },
            body = null,
            expect = PlanRequest.Expected(200, null, PlanText.xml(WarmUpServer.BODY)),
            timeout = 5.seconds,
            captures = if (order.steps.all { it.capture.isEmpty() }) "" else "warm=AS_IS=$.warm",
        ).write(),
    )

    /** Whole seconds; JMeter knows no others. */
    private fun rampUp(): Long = minOf(order.settle.inWholeSeconds / 2, (share + 99L) / 100)

    private class Shape(val threads: Int, val rampUp: Long, val loops: Int, val last: Duration)

    private fun group(kind: String, name: String, shape: Shape, asked: String) = """
        |      <$kind guiclass="${kind}Gui" testclass="$kind" testname="$name" enabled="true">
        |        <stringProp name="ThreadGroup.on_sample_error">startnextloop</stringProp>
        |        <elementProp name="ThreadGroup.main_controller" elementType="LoopController">
        |          <boolProp name="LoopController.continue_forever">false</boolProp>
        |          <stringProp name="LoopController.loops">${shape.loops}</stringProp>
        |        </elementProp>
        |        <stringProp name="ThreadGroup.num_threads">${shape.threads}</stringProp>
        |        <stringProp name="ThreadGroup.ramp_time">${shape.rampUp}</stringProp>
        |        <boolProp name="ThreadGroup.scheduler">true</boolProp>
        |        <stringProp name="ThreadGroup.duration">${wholeSeconds(shape.last)}</stringProp>
        |        <stringProp name="ThreadGroup.delay">0</stringProp>
        |        <boolProp name="ThreadGroup.same_user_on_next_iteration">true</boolProp>
        |      </$kind>
        |      <hashTree>
        |$asked
        |      </hashTree>
        |
    """.trimMargin()

    private fun wholeSeconds(duration: Duration): Long = ceil(duration.toDouble(DurationUnit.SECONDS)).toLong().coerceAtLeast(1)

    /** A row for each loop of a thread, all threads taking turns at one file, from the first row again after the last. */
    private fun dataSet(columns: List<PlanVariable>, data: Path): String = if (columns.isEmpty()) {
        ""
    } else {
        """
        |        <CSVDataSet guiclass="TestBeanGUI" testclass="CSVDataSet" testname="data" enabled="true">
        |          <stringProp name="filename">${text.of("$data")}</stringProp>
        |          <stringProp name="fileEncoding">UTF-8</stringProp>
        |          <stringProp name="variableNames">${columns.joinToString(",") { it.named }}</stringProp>
        |          <boolProp name="ignoreFirstLine">false</boolProp>
        |          <stringProp name="delimiter">,</stringProp>
        |          <boolProp name="quotedData">true</boolProp>
        |          <boolProp name="recycle">true</boolProp>
        |          <boolProp name="stopThread">false</boolProp>
        |          <stringProp name="shareMode">shareMode.all</stringProp>
        |        </CSVDataSet>
        |        <hashTree/>
        |
        """.trimMargin()
    }

    private companion object {
        /** Threads go on for this long after the window, which began with the first sample and not with the thread group. */
        val MORE = 1.seconds

        /** After the window they are told to stop: what is asked then counts nowhere. */
        val A_LITTLE = 100.milliseconds
        const val FOR_EVER = -1

        /** Few: on one CPU every thread at work keeps the compiler from its own. */
        const val WARM_UP_USERS = 4
    }
}

/** An expression for the header that tells [type]. */
internal fun contentType(type: String): String = "(?i)content-type:\\s*${perl(type)}"

/** [literal] in a Perl 5 expression. */
private fun perl(literal: String) = literal.map { if (it.isLetterOrDigit()) "$it" else "\\$it" }.joinToString("")
