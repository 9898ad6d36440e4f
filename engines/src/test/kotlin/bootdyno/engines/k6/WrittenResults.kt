package bootdyno.engines.k6

import java.util.Locale

/** What k6 writes by its CSV output, with the tags of our own script. Times are µs since 1970. */
internal class WrittenResults {
    private val lines = mutableListOf(
        "metric_name,timestamp,metric_value,error,error_code,expected_response,group,method,name,scenario,status," +
            "extra_tags,metadata",
    )

    fun request(
        start: Long,
        end: Long,
        name: String = "http://127.0.0.1:81/path",
        status: Int = 200,
        error: String = "",
        code: String = "",
        expected: Boolean = status in 200..399,
        group: String = "",
        scenario: String = "default",
        blocked: Long = 0,
    ) = apply {
        val tags = "$error,$code,$expected,$group,GET,$name,$scenario,$status,,"
        val values = listOf(
            "http_reqs" to 1_000L,
            "http_req_duration" to end - start - blocked,
            "http_req_blocked" to blocked,
            "http_req_connecting" to blocked,
            "http_req_tls_handshaking" to 0L,
            "http_req_sending" to 20L,
            "http_req_waiting" to 0L,
            "http_req_receiving" to 0L,
            "http_req_failed" to if (expected) 0L else 1_000L,
        )
        values.forEach { (metric, micros) ->
            lines += "$metric,$end,${"%d.%03d000".format(Locale.ROOT, micros / 1_000, micros % 1_000)},$tags"
        }
    }

    fun sample(metric: String, at: Long, value: Int = 1) = apply { lines += "$metric,$at,$value.000000,,,,,,,,,," }

    fun text(): String = lines.joinToString("\n", postfix = "\n")
}
