package bootdyno.engine.netty

import bootdyno.engine.LoadOrder
import bootdyno.engine.of
import bootdyno.model.CapturePlace
import bootdyno.model.DataTable
import bootdyno.model.Step
import bootdyno.model.Template
import java.util.SplittableRandom
import java.util.concurrent.atomic.AtomicLong

/** The chain, mix or login of an order, prepared for repeated sending; shared by all workers of a drive. */
internal class Chain(order: LoadOrder, rows: DataTable?, val isLogin: Boolean = false) {
    private val ownRows = rows?.of(order.part)
    private val nextRow = AtomicLong()
    private val sentSteps = if (isLogin) order.login else order.steps
    private val columns = rows?.columns.orEmpty()
    private val captured = (order.login + sentSteps).flatMap { it.capture.keys }.distinct()
    private val names = columns + captured

    /** Number of values of a cursor: data columns and captured values. */
    val values: Int = names.size
    val steps: List<ChainStep> = sentSteps.map { ChainStep(order, it, names, isLogin) }

    /** Whether all cursors have the same state: a single request without values. */
    val isStateless: Boolean = steps.size == 1 && values == 0 && !order.hasSessions

    /** Number of steps from [first] on, until the next start. */
    val length: Int = if (isLogin) sentSteps.size else order.requestsPerArrival
    private val isMix = order.mix && !isLogin

    /** Sums of the weights up to each operation of a mix. */
    private val sums: List<Double> = sentSteps.map { it.weight }.runningReduce(Double::plus)

    /** Index of the first step of a chain, or of an operation of a mix, each with the probability of its share of all weights. */
    fun first(random: SplittableRandom): Int {
        if (!isMix) return 0
        val drawn = random.nextDouble() * sums.last()
        return sums.indexOfFirst { drawn < it }
    }

    /** Copies a row to the start of [values], the user's or the next, and what the login captured; clears other captured values. */
    fun begin(values: Array<String?>, session: Session?) {
        values.fill(null)
        val row = session?.row ?: ownRows?.row(nextRow.getAndIncrement())
        row?.forEachIndexed { i, value -> values[i] = value }
        session?.captured?.forEach { (name, value) -> values[names.indexOf(name)] = value }
    }
}

/** One request of a chain. Its cursors keep the values of [names] in this order. */
internal class ChainStep(
    private val order: LoadOrder,
    private val step: Step,
    names: List<String>,
    private val isLogin: Boolean = false,
) {
    val name: String = step.name
    val isHead: Boolean = step.method.equals("HEAD", ignoreCase = true)
    val encoder = RequestEncoder(step, order.address, names, order.cookies)
    val expectedType: TypeCheck? = step.expect.contentType?.let(::TypeCheck)
    val expectedBody: ByteTemplate? = step.expect.body?.let {
        ByteTemplate(Template.ofBody(it, step.expect.contentType).pieces, names)
    }
    val captures: List<Capture> = step.capture.map { (name, place) ->
        Capture(name, names.indexOf(name), requireNotNull(CapturePlace.parse(place)) { "no place in a response: $place" })
    }

    /** The headers of its response that are needed. */
    val keptHeaders: KeptHeaders = when {
        isLogin || captures.any { it.place.isHeader } -> KeptHeaders.ALL
        order.hasSessions -> KeptHeaders.OF_SESSIONS
        else -> KeptHeaders.NONE
    }

    fun accepts(status: Int, location: String?): Boolean =
        if (isLogin) step.logsIn(status, location, order.login) else status == step.expect.status

    class Capture(val name: String, val slot: Int, val place: CapturePlace)
}
