package bootdyno.engines.jmeter

import java.nio.file.Path

/** The command of one JMeter process: flags, properties and files. */
internal class JMeterCommand(private val home: JMeterHome, private val options: JMeterOptions) {
    /** Runs [plan] without a window of its own. */
    fun run(plan: PreparedPlan, files: RunFiles): List<String> = buildList {
        val remote = options.remotes.isNotEmpty()
        add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        addAll(jvmFlags(options.heap ?: heapFor(plan.users.takeUnless { remote })))
        if (remote) controllerAddress()?.let { add("-Djava.rmi.server.hostname=$it") }
        addAll(listOf("-jar", "${home.jar}", "-n", "-t", "${plan.file}", "-l", "${files.results}", "-j", "${files.log}"))
        // The last one wins: what the user gives.
        addAll(listOf("-q", "${files.ownProperties}", "-q", "${files.properties}"))
        if (remote) addAll(listOf("-R", options.remotes.joinToString(","), "-G", "${files.properties}"))
    }

    /** JMeter does not give the loopback address to remote engines unless it is told to. */
    private fun controllerAddress(): String? = options.controller ?: "127.0.0.1".takeIf { options.remotes.all(::isLoopback) }

    companion object {
        /** A thread has a client, a connection and its own copy of the plan. */
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
        ) + OPENED.map { "--add-opens=java.base/java.$it=ALL-UNNAMED" }

        /** As in the scripts of JMeter's distribution, as far as running without a window needs them. */
        private val OPENED = listOf(
            "lang",
            "lang.invoke",
            "lang.reflect",
            "util",
            "util.concurrent",
            "util.concurrent.atomic",
            "util.regex",
            "text",
            "io",
            "net",
            "nio",
            "math",
        )
    }
}
