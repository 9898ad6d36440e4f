package bootdyno.system

import java.util.concurrent.atomic.AtomicInteger

/** Variables that a child process inherits. Others could change the measurement unnoticed. */
enum class Inherited(private val names: Set<String>, private val prefixes: List<String> = emptyList()) {
    /** For all children: paths of programs and the home folder, language and time zone. */
    BASIC(emptySet()),

    /** For the `docker` command: settings of its engine and of proxies. */
    DOCKER(PROXIES + setOf("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK"), listOf("DOCKER_", "BUILDKIT_", "BUILDX_")),

    /** For systemd's commands: the address of the user's systemd. */
    SYSTEMD(SYSTEMD_VARIABLES),

    /** For `ssh` and `kubectl`: the user's agent, tickets and clusters. */
    REMOTE(PROXIES + setOf("SSH_AUTH_SOCK", "KRB5CCNAME", "KUBECONFIG", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME")),

    /** For the user's own build: all of them. */
    BUILD(emptySet(), listOf("")),
    ;

    fun of(environment: Map<String, String> = System.getenv()): Map<String, String> =
        environment.filterKeys { name -> isBasic(name) || name in names || prefixes.any { name.startsWith(it) } }
}

private val PROXIES = listOf("http_proxy", "https_proxy", "all_proxy", "no_proxy").flatMap { listOf(it, it.uppercase()) }.toSet()

private fun isBasic(name: String) = name in setOf("PATH", "HOME", "LANG", "LANGUAGE", "TZ") || name.startsWith("LC_")

/** The address of the user's systemd. */
val SYSTEMD_VARIABLES = setOf("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")

/** Variables that change any JVM. */
val JVM_VARIABLES = listOf("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")

/** Of Spring Boot, Quarkus and Micronaut, and those in which applications often look for their database. */
private val PREFIXES_OF_SETTINGS =
    listOf("SPRING_", "SERVER_", "MANAGEMENT_", "LOGGING_", "QUARKUS_", "MICRONAUT_", "DB_", "DATABASE_", "JDBC_")

/** Variables of the shell that would change a JVM or an application, and are not passed on. */
fun withheldVariables(environment: Map<String, String> = System.getenv()): List<String> =
    environment.keys.filter { name -> name in JVM_VARIABLES || PREFIXES_OF_SETTINGS.any { name.startsWith(it) } }.sorted()

/** Variable in the environment of each child and its descendants, to find them when their parents have changed. */
const val CHILD_MARK = "BOOT_DYNO_CHILD"

/** Prefix of the marks of all children of process [pid], started at [startMark]. */
fun marksOf(pid: Long, startMark: String): String = "$pid.${startMark.substringAfter(':')}."

/** A unique mark. */
fun newMark(): String {
    val ownPid = ProcessHandle.current().pid()
    return marksOf(ownPid, startMark(ownPid).orEmpty()) + counter.incrementAndGet()
}

private val counter = AtomicInteger()
