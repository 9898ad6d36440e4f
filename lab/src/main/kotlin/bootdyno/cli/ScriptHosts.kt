package bootdyno.cli

import bootdyno.engine.codeOf
import bootdyno.keys.hostName
import bootdyno.model.Plan
import bootdyno.plan.NamedHost
import kotlin.io.path.Path
import kotlin.io.path.extension
import kotlin.io.path.name

/**
 * The hosts in the addresses of k6 scripts and Gatling simulations that take none of the variables with the subject's address. A plan of JMeter is
 * redirected, and wrk gets the address as an argument.
 */
internal fun hostsOfScripts(plan: Plan): List<NamedHost> {
    val engines = plan.cells.map { it.profile.engine }.distinct()
    val scripts = engines.mapNotNull { engine -> engine.script?.let { Path(it) to engine.options.keys } }
    return scripts.filter { (script) -> script.extension in SOURCES }.flatMap { (script, options) ->
        val hosts = hostsIn(codeOf(script), given = options.map { it.substringAfter('.') }.toSet())
        // k6 sends what is for names without a domain, as containers have, and for their host to the subject.
        hosts.filter { script.extension !in OF_K6 || (it.any { sign -> sign in ".:" } && it != "host.docker.internal") }
            .map { NamedHost(it, "an address in ${script.name}") }
    }
}

/**
 * Of a script that uses the subject's address, only addresses that requests and lists name, and defaults of variables other than the
 * [given] ones. Others may be text.
 */
internal fun hostsIn(script: String, given: Set<String> = emptySet()): List<String> {
    // A text may have the signs of a comment: */*.
    val all = IMPORT.replace(TEXT_OR_COMMENT.replace(script) { if (it.value.startsWith('/')) "" else it.value }, "")
    val code = DEFAULT.replace(all) { if (it.groupValues[1] in OF_SUBJECT + given) "" else it.value }
    val hosts = if (GIVEN.containsMatchIn(all)) requested(code) else ADDRESS.findAll(code).map { it.groupValues[1] }
    return (hosts + DEFAULT.findAll(code).map { it.groupValues[2] }).map(::hostName).distinct().toList()
}

/** The hosts of requests to an address, or to a name that has an address and only texts as values. */
private fun requested(code: String): Sequence<String> {
    val values = ASSIGNED.findAll(code).groupBy({ it.groupValues[1] }, { it.groupValues[2] }).filterValues { "" !in it }
    val listed = LIST.findAll(code).flatMap { ADDRESS.findAll(it.value) }.map { it.groupValues[1] }
    return listed + REQUEST.findAll(code).flatMap { found ->
        val (host, name) = found.destructured
        if (host.isEmpty()) values[name].orEmpty().mapNotNull { ADDRESS.matchAt(it, 0)?.groupValues?.get(1) } else listOf(host)
    }
}

private val OF_K6 = listOf("js", "mjs", "ts")
private val SOURCES = OF_K6 + listOf("java", "kt", "scala")

private val OF_SUBJECT = setOf("BASE_URL", "DYNO_HOST", "baseUrl", "dyno.host")

/** A use of the variables, not a constant with their name. */
private val GIVEN = Regex(
    """["'`](?:BASE_URL|DYNO_HOST|baseUrl|dyno\.host)["'`]|__ENV\.(?:BASE_URL|DYNO_HOST)\b|""" +
        """\b(?:BASE_URL|DYNO_HOST)\b[^{}]*}\s*=\s*__ENV\b""",
)
private val TEXT_OR_COMMENT = Regex(
    """"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`|(?<!:)//[^\n]*|/\*.*?\*/""",
    RegexOption.DOT_MATCHES_ALL,
)
private val IMPORT = Regex("""\b(?:from|import)\s*["'][^"']*["']|\brequire\(\s*["'][^"']*["']""")
private const val SCHEME = "(?:http|ws)s?://"
private const val HOST = """(\[[0-9A-Fa-f:.]+]|[A-Za-z0-9][A-Za-z0-9.-]*)"""
private val ADDRESS = Regex("""["'`]$SCHEME$HOST""")

/** A variable of the environment, or a property, and the address that it has otherwise. */
private val DEFAULT = Regex("""(?:__ENV\.|\bgetProperty\(\s*")([\w.]+)"?\s*(?:\|\||\?\?|,)\s*["'`]$SCHEME$HOST""")

/** A name, and the text after its equals sign; empty for another value. */
private val ASSIGNED = Regex("""\b([A-Za-z_]\w*)(?:\s*:\s*\w+)?\s*=(?![=>])\s*s?(["'`][^"'`\n]{0,300})?""")

private const val METHOD = """["'`][A-Z]{3,7}["'`]\s*,\s*"""
private const val CALL = "get|post|put|patch|del|delete|head|options|request|asyncRequest|connect|(?:wsB|b)aseUrls?"

/** A list of addresses, as a batch or a random choice takes it. */
private val LIST = Regex("""\[(?:\s*+["'`]$SCHEME[^"'`\n]{0,300}["'`]\s*+,?)++\s*+]""")

/** A call, or an element of a batch, also as an object: with an address, or with a name, which may begin a template. */
private val REQUEST = Regex(
    """(?:\b(?:$CALL)\s*\(\s*(?:$METHOD)?|\[\s*$METHOD|\burl\s*:\s*)(?:(?:s|http\.url)(?=["'`]))?""" +
        """(?:["'`]$SCHEME$HOST|["'`]?\$?\{?([A-Za-z_]\w*))""",
)
