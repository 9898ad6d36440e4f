package bootdyno.system

import java.util.concurrent.atomic.AtomicInteger

/** Which variables of this process's environment a child inherits. All others would change what is measured without a trace. */
enum class Inherited(private val names: Set<String>, private val prefixes: List<String> = emptyList()) {
    /** For whatever is measured and whatever measures: where programs and the home folder are, the language and the time zone. */
    BASIC(emptySet()),

    /** For the `docker` command, which finds its engine by them. */
    DOCKER(PROXIES + setOf("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK"), listOf("DOCKER_", "BUILDKIT_", "BUILDX_")),

    /** For systemd's commands, which find the user's systemd by them. */
    SYSTEMD(SYSTEMD_VARIABLES),
    ;

    fun of(environment: Map<String, String> = System.getenv()): Map<String, String> =
        environment.filterKeys { name -> isBasic(name) || name in names || prefixes.any { name.startsWith(it) } }
}

private val PROXIES = listOf("http_proxy", "https_proxy", "all_proxy", "no_proxy").flatMap { listOf(it, it.uppercase()) }.toSet()

private fun isBasic(name: String) = name in setOf("PATH", "HOME", "LANG", "LANGUAGE", "TZ") || name.startsWith("LC_")

/** Where systemd's commands find the user's systemd. */
val SYSTEMD_VARIABLES = setOf("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")

/** These change any JVM that finds them. */
val JVM_VARIABLES = listOf("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")

private val SPRING_PREFIXES = listOf("SPRING_", "SERVER_", "MANAGEMENT_", "LOGGING_")

/** Variables of the shell that would change a JVM or a Spring application, and do not reach it. */
fun withheldVariables(environment: Map<String, String> = System.getenv()): List<String> =
    environment.keys.filter { name -> name in JVM_VARIABLES || SPRING_PREFIXES.any { name.startsWith(it) } }.sorted()

/** Stands in the environment of each child, and so of all that it starts: by it they are found, whoever their parent is by then. */
const val CHILD_MARK = "BOOT_DYNO_CHILD"

/** The marks of all children of the process [pid], started at [startMark], begin like this. */
fun marksOf(pid: Long, startMark: String): String = "$pid.${startMark.substringAfter(':')}."

/** A mark that no other child of any process has. */
fun newMark(): String {
    val own = ProcessHandle.current().pid()
    return marksOf(own, startMark(own).orEmpty()) + counter.incrementAndGet()
}

private val counter = AtomicInteger()
