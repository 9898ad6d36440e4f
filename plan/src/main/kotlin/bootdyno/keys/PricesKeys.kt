package bootdyno.keys

import bootdyno.model.Prices
import bootdyno.yaml.Fields
import bootdyno.yaml.Shape
import bootdyno.yaml.TEXT
import bootdyno.yaml.number

private val A_PRICE = number(0.000001..1_000_000.0)

/** `prices: { cpu-hour: 0.04, gib-hour: 0.005, currency: EUR }`, or `{ instance-hour: 0.10 }`. */
internal object PricesKeys : Shape<Prices, Prices>("prices", "Prices of an hour, for the cost of requests.") {
    private val instanceHour by key(A_PRICE, "Price of an instance for an hour.") { it.instanceHour }
    private val cpuHour by key(A_PRICE, "Price of a CPU for an hour.") { it.cpuHour }
    private val gibHour by key(A_PRICE, "Price of a GiB of memory for an hour.") { it.gibHour }
    private val currency by key(TEXT, "Currency, as it is shown.") { it.currency.ifEmpty { null } }

    override fun make(fields: Fields): Prices? {
        val parts = listOf(cpuHour, gibHour).mapNotNull(fields::at)
        val whole = fields.at(instanceHour)
        if (whole != null) parts.forEach { it.problem("counts twice beside `instance-hour`", "remove one of them") }
        // Reports the missing key.
        if (whole == null && parts.isEmpty()) fields.required(cpuHour)
        return Prices(fields[instanceHour], fields[cpuHour], fields[gibHour], fields[currency].orEmpty())
    }
}
