package bootdyno.engines.jmeter

import bootdyno.engine.LoadOrder
import bootdyno.model.DataTable
import bootdyno.model.Step
import bootdyno.model.Template
import bootdyno.model.Writing

/**
 * The steps of a chain as requests of the plan. Values of the data and of answers are variables of JMeter's, written for their
 * places before they get there: those of the data in a file made for this plan, those of answers by the script that takes them
 * out.
 */
internal class PlanChain(private val order: LoadOrder, private val rows: DataTable?, private val text: PlanText) {
    private val columns = rows?.columns.orEmpty()
    private val values = (columns + order.steps.flatMap { it.capture.keys }).toSet()

    /** In two goes: what is to be captured, and how written, is known when all places have been seen. */
    val requests: List<PlanRequest> = order.steps.map { Filled(it) }.map { it.request() }

    /** The columns that are needed. Empty where the chain has no data, or does not use it. */
    val needed: List<PlanVariable> = text.needed.filter { it.name in columns }

    /** The rows as JMeter reads them: without a line that names the columns, all values in quotes. */
    fun csv(): String = rows?.rows.orEmpty().joinToString("") { row ->
        needed.joinToString(",", postfix = "\n") { quoted(it.writing.write(row[columns.indexOf(it.name)])) }
    }

    private fun quoted(value: String) = "\"${value.replace("\"", "\"\"")}\""

    private inner class Filled(private val step: Step) {
        private val path = text.of(Template.ofPath(step.path), values)
        private val headers = step.headers.map { (name, value) -> text.of(name) to text.of(Template.ofHeader(value), values) }
        private val body = step.body?.let { text.of(Template.ofBody(it, step.contentType), values) }
        private val expect = PlanRequest.Expected(
            step.expect.status,
            step.expect.contentType?.let { text.of(contentType(it)) },
            step.expect.body?.let { text.of(Template.ofBody(it, step.expect.contentType), values) },
        )

        fun request() = PlanRequest(
            name = text.of(step.name),
            host = text.of(order.host),
            port = order.port,
            method = text.of(step.method),
            path = path,
            headers = headers,
            body = body,
            expect = expect,
            timeout = order.timeout,
            captures = step.capture.map { (name, path) -> "$name=${writings(name)}=$path" }.joinToString(" "),
        )

        /** One where nobody needs it: that it is there is checked all the same. */
        private fun writings(name: String): String =
            text.needed.filter { it.name == name }.map { it.writing }.ifEmpty { listOf(Writing.AS_IS) }.joinToString(",")
    }
}
