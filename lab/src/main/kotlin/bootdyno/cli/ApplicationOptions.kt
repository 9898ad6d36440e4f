package bootdyno.cli

import bootdyno.flags.Design
import bootdyno.flags.JarQuestion
import bootdyno.flags.USUAL_CONNECTIONS
import bootdyno.keys.CONNECTIONS
import bootdyno.keys.WrittenWorkload
import bootdyno.keys.pathFault
import bootdyno.model.Compose
import bootdyno.model.HttpVersion
import bootdyno.model.Subject
import bootdyno.yaml.parseDuration
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.flag
import com.github.ajalt.clikt.parameters.options.multiple
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.int
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.clikt.parameters.types.restrictTo
import java.nio.file.Path
import kotlin.io.path.Path

/** The word of `--compose` that starts nothing. */
private const val NO_COMPOSE = "none"

/** The flags that name the application. */
internal val NAMING = setOf("--command", "--image", "--url")

/**
 * Flags of all commands that make a plan, about an application; none may be given beside an experiment file. A flag is
 * called by its property: `importHost` is `--import-host`.
 */
internal class ApplicationOptions : TypedOptions("Your application") {
    val command by option(metavar = "'WORDS'", help = "Instead of a jar: a command that starts a server; {port} is its port")
    val image by option(metavar = "NAME:TAG", help = "Instead of a jar: a container image, run with its own entry point")
    val url by option(metavar = "URL", help = "Instead of a jar: a server that already runs; it is not started, limited or ended")
    val java by option(
        metavar = "N|PATH[,…]",
        help = "The JDK of the jar: a version on this machine (21) or a path; several are compared",
    ).convert { text -> text.split(',').map { it.trim() }.filter { it.isNotEmpty() } }.default(emptyList())
    val jvm by option(metavar = "FLAG", help = "A JVM flag: --jvm=-Xmx512m; repeatable").multiple()
    val env by option(metavar = "NAME=VALUE", help = "An environment variable of the application; repeatable").multiple()
    val setting by option(metavar = "KEY=VALUE", help = "An application property; {port} is its port; repeatable").multiple()
    private val workingDirectory by option(metavar = "DIR", help = "The folder it starts in (default: an empty one)")
        .path(mustExist = true, canBeFile = false)
    val ready by option(
        metavar = "PATH",
        help = "The path that answers with a status from 200 to 299 when the application is ready",
    ).convert { text -> pathOf(text) { fail(it) } }
    private val readyWithin by option(metavar = "TIME", help = "Time limit of its start (default 2 min)")
        .convert { parseDuration(it) ?: fail("write a number with its unit: '5 min'") }
    private val https by option(help = "The application listens with TLS; the address of --url says so itself").flag()
    private val http by option(metavar = "1.1|2", help = "Its version of HTTP (default 1.1)")
        .choice(HttpVersion.entries.associateBy { it.word }).default(HttpVersion.HTTP_1_1)
    private val composeText by option(
        "--compose",
        metavar = "FILE[=SERVICE,…]|none",
        help = "Start the services of this compose file; none: not even those of the compose file beside the jar",
    )
    val design by option(help = "What several --vary make: factorial (every combination) or one-at-a-time")
        .choice(Design.entries.associateBy { it.word }).default(Design.FACTORIAL)
    val importFile by option(
        "--import",
        metavar = "FILE",
        help = "The requests of an OpenAPI document, a HAR, .http or Postman file, or an access log, as a mix",
    ).path()
    val importHost by option(
        metavar = "HOST[:PORT]",
        help = "The host that is the application in the imported file (default: this machine); repeatable",
    ).multiple()
    val path by option(
        metavar = "PATH",
        help = "A path to request; repeatable (default: some that the application itself names)",
    ).convert { text -> pathOf(text) { fail(it) } }.multiple()
    val request by option(
        metavar = "'METHOD PATH [@FILE] [STATUS]'",
        help = "A request with a body: 'POST /orders @order.json 201'; repeatable, also beside --path",
    ).multiple()
    val vary by option(
        metavar = "KEY=A,B",
        help = "A setting and the values to compare; also env:NAME=a,b, jvm:-Xmx=512m,1g, java:17,21, " +
            "runtime=jar,aot-cache; repeatable",
    ).multiple()
    val connections by option(
        metavar = "N",
        help = "Connections of the closed load (default $USUAL_CONNECTIONS)",
    ).int().restrictTo(CONNECTIONS).default(USUAL_CONNECTIONS)

    /** [subject] as the flags declare it. */
    fun declared(subject: Subject): Subject =
        subject.copy(readyPath = ready, readyWithin = readyWithin, https = https, http = http)

    /** Where it starts; null: in a new folder. A command is typed in this folder. */
    val startsIn: Path? get() = workingDirectory ?: Path("").takeIf { command != null }

    val refusesCompose: Boolean get() = composeText == NO_COMPOSE

    /** The file of `--compose`, relative to this folder; null if it is not given, or `none`. */
    fun compose(): Compose? {
        val text = composeText?.takeUnless { refusesCompose } ?: return null
        val services = text.substringAfter('=', "").split(',').map { it.trim() }.filter { it.isNotEmpty() }
        return Compose(absolute(Path(text.substringBefore('='))), services)
    }

    /** What they ask of [subject]. [vary]: what is compared; [compose]: what is started; [workload]: the imported one. */
    fun question(subject: Subject, vary: List<String>, compose: Compose?, workload: WrittenWorkload?) = JarQuestion(
        declared(subject),
        path,
        vary,
        connections,
        requestFlags(request),
        workload,
        settings = setting,
        environment = env,
        jvm = jvm,
        java = java.map { if ('/' in it) absolute(Path(it)) else it },
        workingDirectory = startsIn?.let(::absolute),
        compose = compose,
        design = design,
    )
}

internal fun absolute(path: Path): String = "${path.toAbsolutePath().normalize()}"

private const val NO_ADDRESS = "write only the path of this address: /orders"

/** [text] with a slash before it. [refuse] gets why it is no path, and throws. */
private fun pathOf(text: String, refuse: (String) -> Nothing): String {
    val path = if (text.startsWith("/")) text else "/$text"
    if (path != text && "://" in text.substringBefore('?')) refuse(NO_ADDRESS)
    pathFault(path)?.let { refuse("`$path` $it") }
    return path
}
