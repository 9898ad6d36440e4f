package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import java.util.Locale
import java.util.jar.JarFile
import javax.tools.Diagnostic
import javax.tools.DiagnosticCollector
import javax.tools.JavaFileObject
import javax.tools.ToolProvider
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText

/** A user's simulation, ready to run: its class, where the class is, and the folder that its relative paths mean. */
internal data class UserSimulation(val className: String, val classPath: List<Path>, val folder: Path)

/**
 * Compiles a source with everything in its source folder that it mentions, into [into]; a jar is taken as it is.
 *
 * A data set or a body is found on the class path, as Gatling looks for it: the source folder, and `resources` beside it where the project
 * is laid out like Maven's; or relative to the folder of [script].
 * @throws EngineFailed with what the compiler said, or which class is missing.
 */
internal fun userSimulation(script: Script, jars: List<Path>, into: Path): UserSimulation {
    val (file, className) = script
    if (script.extension == "jar") {
        val inside = JarFile(file.toFile()).use { it.getEntry(className.orEmpty().replace('.', '/') + ".class") }
        if (className == null || inside == null) throw EngineFailed("there is no class $className in $file")
        return UserSimulation(className, listOf(file), file.folder())
    }
    val text = file.readText().withoutComments()
    val named = PACKAGE.find(text)?.groupValues?.get(1).orEmpty()
    val root = rootOf(file, named)
    compileJava(listOf(file), jars, into, listOf(root))
    val name = className ?: simulationIn(text, file).let { if (named.isEmpty()) it else "$named.$it" }
    return UserSimulation(name, listOfNotNull(into, root, resourcesBeside(root)), file.folder())
}

private fun Path.folder(): Path = toAbsolutePath().parent

/** The folder that `package` [named] is relative to; the file's own where it does not lie in a folder of that name. */
private fun rootOf(file: Path, named: String): Path {
    val folder = file.folder()
    if (named.isEmpty()) return folder
    val inside = Path.of(named.replace('.', '/'))
    return if (folder.endsWith(inside)) (1..inside.nameCount).fold(folder) { at, _ -> at.parent } else folder
}

private fun resourcesBeside(root: Path): Path? =
    root.takeIf { it.name == "java" }?.resolveSibling("resources")?.takeIf { Files.isDirectory(it) }

/** The one class that is a simulation. */
private fun simulationIn(text: String, file: Path): String {
    val names = SIMULATION.findAll(text).map { it.groupValues[1] }.toList()
    return names.singleOrNull() ?: file.nameWithoutExtension.takeIf { it in names } ?: throw EngineFailed(
        if (names.isEmpty()) {
            "$file has no class that extends Simulation"
        } else {
            "$file has several simulations (${names.joinToString(", ")}): say which one, `simulation: my.package.MySimulation`"
        },
    )
}

/** Good enough for finding declarations: a text in quotes that looks like a comment does not hide one. */
private fun String.withoutComments() = replace(COMMENT, " ")

private val COMMENT = Regex("""/\*.*?\*/|//[^\n]*""", RegexOption.DOT_MATCHES_ALL)
private val PACKAGE = Regex("""(?m)^\s*package\s+([\w.]+)\s*;""")
private val SIMULATION = Regex("""\bclass\s+(\w+)\s+extends\s+(?:[\w.]+\.)?Simulation\b""")

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
    val options = listOf("-d", "$into", "-encoding", "UTF-8", "-proc:none", "-nowarn") +
        // Without a source path, the class path is searched for sources too.
        listOf("-classpath", classPath.joined(), "-sourcepath", roots.joined())
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
