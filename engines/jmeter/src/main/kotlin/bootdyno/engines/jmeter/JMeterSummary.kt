package bootdyno.engines.jmeter

/**
 * The figures of the line `summary = …` that JMeter itself prints at the end. They are about its whole run: settling and what
 * ended after the window are in them.
 */
internal fun readSummary(line: String): Map<String, Double>? =
    SUMMARY.find(line)?.destructured?.let { (requests, rate, avg, min, max, errors) ->
        buildMap {
            put("requests", requests.toDouble())
            rate.toDoubleOrNull()?.let { put("requests/s", it) }
            put("avg ms", avg.toDouble())
            put("min ms", min.toDouble())
            put("max ms", max.toDouble())
            put("errors", errors.toDouble())
        }
    }

/** The rate is `******` where the run took no time at all. */
private val SUMMARY =
    Regex("""^summary =\s+(\d+) in\s+\S+ =\s+([\d.*]+)/s Avg:\s+(\d+) Min:\s+(\d+) Max:\s+(\d+) Err:\s+(\d+) """)
