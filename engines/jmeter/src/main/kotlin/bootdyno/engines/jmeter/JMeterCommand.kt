package bootdyno.engines.jmeter

import java.nio.file.Path

/** The flags, properties and files of one JMeter process. */
internal class JMeterCommand(private val home: JMeterHome, private val options: JMeterOptions) {
    /** Runs [plan] without a window of its own. */
    fun run(plan: PreparedPlan, files: RunFiles): List<String> = buildList {
        add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        addAll(jvmFlags(options.heap ?: heapFor(plan.users.takeIf { options.remotes.isEmpty() })))
        if (options.remotes.isNotEmpty()) controllerAddress()?.let { add("-Djava.rmi.server.hostname=$it") }
        add("-jar")
        add("${home.jar}")
        addAll(listOf("-n", "-t", "${plan.file}", "-l", "${files.results}", "-j", "${files.log}"))
        RESULT_FIELDS.forEach { (name, value) -> add("-Jjmeter.save.saveservice.$name=$value") }
        PROPERTIES.forEach { (name, value) -> add("-J$name=$value") }
        if (options.remotes.isNotEmpty()) addAll(remoteArguments())
        // The last word: what the user gives wins.
        addAll(listOf("-q", "${files.properties}"))
        if (options.remotes.isNotEmpty()) addAll(listOf("-G", "${files.properties}"))
    }

    private fun remoteArguments(): List<String> = buildList {
        add("-R")
        add(options.remotes.joinToString(","))
        REMOTE_PROPERTIES.forEach { (name, value) -> add("-J$name=$value") }
    }

    /** JMeter refuses to give the loopback address to remote engines unless it is told to. */
    private fun controllerAddress(): String? = options.controller ?: "127.0.0.1".takeIf { options.remotes.all(::isLoopback) }

    companion object {
        fun isLoopback(host: String): Boolean = host.substringBefore(':').let { it == "localhost" || it.startsWith("127.") }

        /** A thread and what hangs on it: client, connection, its own copy of the plan. */
        private fun heapFor(users: Int?): String = "${512 + (users ?: 0) / 1000 * MEGABYTES_FOR_THOUSAND}m"

        private const val MEGABYTES_FOR_THOUSAND = 128

        fun jvmFlags(heap: String): List<String> = listOf(
            "-Xms$heap",
            "-Xmx$heap",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData",
            "-Djava.awt.headless=true",
            // The line with its figures is read: it must not be in the user's language.
            "-Duser.language=en",
            "-Duser.region=US",
        ) + OPENED.map { "--add-opens=$it=ALL-UNNAMED" }

        /** As in the scripts of JMeter's distribution, as far as running without a window needs them. */
        private val OPENED = listOf(
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.base/java.lang.reflect",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/java.util.regex",
            "java.base/java.text",
            "java.base/java.io",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.math",
        )

        /**
         * Only what is read, each line written at once: the file is read while the plan runs, and complete if JMeter must be
         * killed.
         */
        private val RESULT_FIELDS = mapOf(
            "output_format" to "csv",
            "default_delimiter" to ",",
            "print_field_names" to "true",
            "timestamp_format" to "ms",
            "time" to "true",
            "label" to "true",
            "response_code" to "true",
            "response_message" to "true",
            "successful" to "true",
            "assertion_results_failure_message" to "true",
            "thread_counts" to "true",
            "latency" to "true",
            "connect_time" to "true",
            "thread_name" to "false",
            "data_type" to "false",
            "bytes" to "false",
            "sent_bytes" to "false",
            "url" to "false",
            "sample_count" to "false",
            "hostname" to "false",
            "idle_time" to "false",
            "autoflush" to "true",
        )

        private val PROPERTIES = mapOf(
            "sampleresult.timestamp.start" to "true",
            "sampleresult.default.encoding" to "UTF-8",
            "summariser.name" to "summary",
            "summariser.out" to "true",
            "summariser.ignore_transaction_controller_sample_result" to "true",
        )

        /**
         * Without a key store for SSL, which `properties.server.rmi.ssl.disable: false` asks for. Samples come in small
         * batches, without the answers' bodies.
         */
        private val REMOTE_PROPERTIES = mapOf(
            "server.rmi.ssl.disable" to "true",
            "mode" to "StrippedBatch",
            "num_sample_threshold" to "500",
            "time_threshold" to "1000",
        )
    }
}
