package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import java.io.File
import java.nio.file.Path
import java.util.Locale
import javax.tools.Diagnostic
import javax.tools.DiagnosticCollector
import javax.tools.JavaFileObject
import javax.tools.ToolProvider
import kotlin.io.path.name

/**
 * Compiles [sources] against [classPath] into [into] with the running JDK's own compiler; other sources they mention are looked for in
 * [roots].
 * @throws EngineFailed with what the compiler said.
 */
internal fun compileJava(sources: List<Path>, classPath: List<Path>, into: Path, roots: List<Path> = emptyList()) {
    val compiler = ToolProvider.getSystemJavaCompiler()
        ?: throw EngineFailed(
            "no Java compiler in ${System.getProperty("java.home")}: Gatling's simulations need a JDK, not a JRE",
        )
    val options = buildList {
        addAll(listOf("-d", into.toString(), "-encoding", "UTF-8", "-proc:none", "-nowarn"))
        addAll(listOf("-classpath", classPath.joined()))
        // Without one, the class path is searched for sources too.
        addAll(listOf("-sourcepath", roots.joined()))
    }
    val said = DiagnosticCollector<JavaFileObject>()
    val good = compiler.getStandardFileManager(said, Locale.ROOT, Charsets.UTF_8).use { files ->
        compiler.getTask(null, files, said, options, null, files.getJavaFileObjectsFromPaths(sources)).call()
    }
    if (good) return
    val errors = said.diagnostics.filter { it.kind == Diagnostic.Kind.ERROR }
    val first = errors.take(MOST_ERRORS).joinToString("; ") { it.inOneLine() }
    val more = if (errors.size > MOST_ERRORS) "; and ${errors.size - MOST_ERRORS} more" else ""
    throw EngineFailed("${sources.joinToString { it.name }} does not compile: $first$more")
}

internal fun List<Path>.joined() = joinToString(File.pathSeparator)

private fun Diagnostic<out JavaFileObject>.inOneLine(): String {
    val file = source?.name?.substringAfterLast('/')?.let { "$it:$lineNumber: " }.orEmpty()
    return file + getMessage(Locale.ROOT).lines().joinToString(" ") { it.trim() }
}

private const val MOST_ERRORS = 3
