package bootdyno.engines.wrk

import bootdyno.engine.EngineFailed
import bootdyno.model.Step
import java.nio.file.Path

/**
 * The Lua script of one run: the request, what the rest of it is to do, and that rest, which is the resource `run.lua`. The
 * request stands in the script and not on the command line, which everyone on the machine can read.
 */
internal fun wrkScript(request: Step, options: WrkOptions, writtenTo: Path, counts: Boolean): String = buildString {
    appendLine("wrk.method = ${luaText(request.method)}")
    request.headers.forEach { (name, value) ->
        if ("$name$value".any { it == '\r' || it == '\n' }) throw EngineFailed("a line break in the header $name")
        appendLine("wrk.headers[${luaText(if (name.equals("host", ignoreCase = true)) "Host" else name)}] = ${luaText(value)}")
    }
    request.body?.let { appendLine("wrk.body = ${luaText(it)}") }
    appendLine("local dyno = {")
    options.script?.let { appendLine("  script = ${luaText(it.toString())},") }
    appendLine("  written_to = ${luaText(writtenTo.toString())},")
    appendLine("  counts = $counts,")
    // Where a good answer is one that wrk counts as an error, only a check can tell them apart.
    if (options.check || request.expect.status > HIGHEST_GOOD_OF_WRK) {
        appendLine("  status = ${request.expect.status},")
        request.expect.body?.let { appendLine("  body = ${luaText(it)},") }
    }
    appendLine("}")
    append(RUN)
}

/** wrk counts every status above this one as an error, and none below it. */
private const val HIGHEST_GOOD_OF_WRK = 399

private val RUN: String by lazy {
    val script = WrkEngine::class.java.getResource("run.lua") ?: error("run.lua is missing")
    script.readText()
}

/** [text] as a Lua string of its UTF-8 bytes. */
internal fun luaText(text: String): String = text.toByteArray().joinToString("", "\"", "\"") { byte ->
    val code = byte.toInt() and 0xff
    if (code in PLAIN) code.toChar().toString() else "\\" + code.toString().padStart(3, '0')
}

private val PLAIN = (' '.code..'~'.code).toSet() - '"'.code - '\\'.code
