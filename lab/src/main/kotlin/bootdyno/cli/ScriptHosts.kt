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
    val scripts = plan.cells.mapNotNull { it.profile.engine.script }.distinct().map(::Path)
    return scripts.filter { it.extension in SOURCES }.flatMap { script ->
        val hosts = hostsIn(codeOf(script))
        // k6 sends what is for names without a domain, as containers have, and for their host to the subject.
        hosts.filter { script.extension !in OF_K6 || (it.any { sign -> sign in ".:" } && it != "host.docker.internal") }
            .map { NamedHost(it, "an address in ${script.name}") }
    }
}

/** Empty for a script that uses the subject's address: its other addresses may be defaults, or text. */
internal fun hostsIn(script: String): List<String> {
    // A text may have the signs of a comment: */*.
    val code = IMPORT.replace(TEXT_OR_COMMENT.replace(script) { if (it.value.startsWith('/')) "" else it.value }, "")
    if (GIVEN.containsMatchIn(code)) return emptyList()
    return ADDRESS.findAll(code).map { hostName(it.groupValues[1]) }.distinct().toList()
}

private val OF_K6 = listOf("js", "mjs", "ts")
private val SOURCES = OF_K6 + listOf("java", "kt", "scala")

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
private val ADDRESS = Regex("""["'`](?:http|ws)s?://(\[[0-9A-Fa-f:.]+]|[A-Za-z0-9][A-Za-z0-9.-]*)""")
