package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.engine.addressesIn
import bootdyno.engine.codeOf
import bootdyno.engine.packageIn
import bootdyno.engine.pathOfDefault
import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import java.util.Locale
import java.util.jar.JarFile
import javax.tools.Diagnostic
import javax.tools.DiagnosticCollector
import javax.tools.ForwardingJavaFileManager
import javax.tools.ForwardingJavaFileObject
import javax.tools.JavaFileManager.Location
import javax.tools.JavaFileObject
import javax.tools.StandardJavaFileManager
import javax.tools.ToolProvider
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText

/**
 * A user's simulation, ready to run: its class, class path, the base of its relative paths, the path of its own default address, and
 * its [local] addresses, which lead to the subject.
 */
internal data class UserSimulation(
    val className: String,
    val classPath: List<Path>,
    val folder: Path,
    val basePath: String = "",
    val local: Set<String> = emptySet(),
)

/**
 * Compiles a source file and the files of its source folder that it uses into [into]; a jar is used unchanged. Data and bodies are found on
 * the class path, as Gatling does: in the source folder, and in `resources` beside it with Maven's layout; or relative to the folder of
 * [script].
 * @throws EngineFailed with the compiler's message, or for a missing class
 */
internal fun userSimulation(script: Script, jars: List<Path>, into: Path): UserSimulation {
    val (file, className) = script
    if (script.extension == "jar") {
        val inside = JarFile(file.toFile()).use { it.getEntry(className.orEmpty().replace('.', '/') + ".class") }
        if (className == null || inside == null) throw EngineFailed("there is no class $className in $file")
        return UserSimulation(className, listOf(file), file.folder())
    }
    val text = file.readText().replace(COMMENT, " ")
    val named = packageIn(text)
    val root = rootOf(file, named)
    compileJava(listOf(file), jars, into, listOf(root))
    val name = className ?: simulationIn(text, file).let { if (named.isEmpty()) it else "$named.$it" }
    val code = codeOf(file)
    val classPath = listOfNotNull(into, root, resourcesBeside(root))
    return UserSimulation(name, classPath, file.folder(), pathOfDefault(code), addressesIn(code, TEXT))
}

private fun Path.folder(): Path = toAbsolutePath().parent

/** The source root for package [named]; the file's own folder if the folders do not match the package. */
private fun rootOf(file: Path, named: String): Path {
    val folder = file.folder()
    if (named.isEmpty()) return folder
    val inside = Path.of(named.replace('.', '/'))
    return if (folder.endsWith(inside)) (1..inside.nameCount).fold(folder) { at, _ -> at.parent } else folder
}

private fun resourcesBeside(root: Path): Path? =
    root.takeIf { it.name == "java" }?.resolveSibling("resources")?.takeIf { Files.isDirectory(it) }

/** The only simulation class of the file. */
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

/** Sources in which an address of this machine, which begins a text, is that of the subject. */
private class ToSubject(files: StandardJavaFileManager) : ForwardingJavaFileManager<StandardJavaFileManager>(files) {
    private class Source(val file: JavaFileObject) : ForwardingJavaFileObject<JavaFileObject>(file) {
        override fun getCharContent(ignoreErrors: Boolean) = toSubject(file.getCharContent(ignoreErrors))
    }

    override fun list(at: Location, named: String, kinds: Set<JavaFileObject.Kind>, deep: Boolean): Iterable<JavaFileObject> =
        super.list(at, named, kinds, deep).map(::redirected)

    override fun inferBinaryName(at: Location, file: JavaFileObject): String? =
        super.inferBinaryName(at, (file as? Source)?.file ?: file)

    fun redirected(file: JavaFileObject) = if (file.kind == JavaFileObject.Kind.SOURCE) Source(file) else file
}

internal fun toSubject(source: CharSequence): String = TEXT.replace(source) { found ->
    found.groups[2]?.let { "(java.lang.System.getProperty(\"dyno.base\") + \"${it.value}\")" } ?: found.value
}

/** A block of text; or a text that begins with an address of this machine: its host and port, and its path. */
private val TEXT = Regex(
    """"{3}[\s\S]*?"{3}|(?<!\\)"https?://((?:localhost|127\.0\.0\.1|\[::1])(?::\d+)?)(?=[/?"])((?:[^"\\\n]++|\\.)*+)"""",
)

/** Sufficient to find declarations: string literals that look like comments are removed too. */
private val COMMENT = Regex("""/\*.*?\*/|//[^\n]*""", RegexOption.DOT_MATCHES_ALL)
private val SIMULATION = Regex("""\bclass\s+(\w+)\s+extends\s+(?:[\w.]+\.)?Simulation\b""")

/**
 * Compiles [sources] against [classPath] into [into] with the compiler of the running JDK; [roots] are searched for other sources.
 * @throws EngineFailed with the compiler's message
 */
internal fun compileJava(sources: List<Path>, classPath: List<Path>, into: Path, roots: List<Path> = emptyList()) {
    val compiler = ToolProvider.getSystemJavaCompiler()
        ?: throw EngineFailed(
            "no Java compiler in ${System.getProperty("java.home")}: Gatling's simulations need a JDK, not a JRE",
        )
    val options = listOf("-d", "$into", "-encoding", "UTF-8", "-proc:none", "-nowarn") +
        // Without a source path, the compiler would also search sources on the class path.
        listOf("-classpath", classPath.joined(), "-sourcepath", roots.joined())
    val messages = DiagnosticCollector<JavaFileObject>()
    val good = compiler.getStandardFileManager(messages, Locale.ROOT, Charsets.UTF_8).use { files ->
        val toSubject = ToSubject(files)
        val read = files.getJavaFileObjectsFromPaths(sources).map(toSubject::redirected)
        compiler.getTask(null, toSubject, messages, options, null, read).call()
    }
    if (good) return
    val errors = messages.diagnostics.filter { it.kind == Diagnostic.Kind.ERROR }
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
