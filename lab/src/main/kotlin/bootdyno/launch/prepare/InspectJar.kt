package bootdyno.launch.prepare

import bootdyno.model.Origin
import bootdyno.model.Stack
import bootdyno.model.Subject
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarFile
import kotlin.io.path.nameWithoutExtension

/** A file that cannot be a subject: the reason as a sentence, and advice. */
class UnusableJar(message: String, val hint: String) : Exception(message)

/** Whether [file] has the name of a jar, or of a WAR with its own server. */
fun isNamedAsJar(file: String): Boolean = listOf(".jar", ".war").any { file.endsWith(it, ignoreCase = true) }

/** The subject for an executable jar; its stack is detected by its libraries. Throws [UnusableJar]. */
fun inspectJar(path: Path): Subject {
    val file = path.toAbsolutePath().normalize()
    if (!Files.exists(file)) throw UnusableJar("There is no file $path.", "Build it first (mvn package), or check the path.")
    if (!Files.isRegularFile(file)) {
        throw UnusableJar("$path is not a file.", "Give the jar itself, usually in target/ or build/libs/.")
    }
    return try {
        readingJar(file) { subjectIn(it, file) }
    } catch (unreadable: IOException) {
        throw UnusableJar(
            "$path is not a jar that can be used: ${unreadable.message}.",
            "Give an executable jar, as spring-boot:repackage or bootJar makes it.",
        )
    }
}

private fun subjectIn(jar: JarFile, file: Path): Subject {
    jar.manifest?.mainAttributes?.getValue("Main-Class") ?: throw UnusableJar(
        "$file cannot be started: its manifest names no Main-Class.",
        "Use the one with its libraries: of Spring Boot that of spring-boot:repackage, bootJar or bootWar (not -plain.jar, not " +
            ".jar.original), of Quarkus quarkus-app/quarkus-run.jar or -runner.jar, of others often -all.jar or -fat.jar.",
    )
    return Subject(subjectName(file), Origin.Jar("$file"), stackOf(librariesOf(jar, file)))
}

/** The names of the libraries in [jar], which is [file], and beside it. */
private fun librariesOf(jar: JarFile, file: Path): List<String> =
    (jar.stream().map { it.name }.toList() + filesBeside(file).map { "$it" }).filter { it.endsWith(".jar") }
        .map { it.substringAfterLast('/') }

/**
 * Why [jar] cannot compare platform and virtual threads on a JVM of [version], as a sentence; null if it can: a servlet application of Spring Boot
 * 3.2 or newer on JDK 21 or newer. Throws [UnusableJar].
 */
fun whyNoVirtualThreads(jar: Path, version: Int?): String? = try {
    readingJar(jar) { file ->
        val libraries = librariesOf(file, jar)
        val (major, minor) = libraries.firstNotNullOfOrNull { SPRING_BOOT.matchEntire(it)?.destructured }
            ?: return@readingJar "No Spring Boot was found in ${jar.fileName}."
        when {
            libraries.none { it.startsWith("spring-webmvc-") } -> "${jar.fileName} is no servlet application."

            major.toInt() < FIRST_MAJOR || (major.toInt() == FIRST_MAJOR && minor.toInt() < FIRST_MINOR) ->
                "Spring Boot $major.$minor has no setting for virtual threads, which came with 3.2."

            version != null && version < FIRST_WITH_VIRTUAL_THREADS -> "JDK $version has no virtual threads, which came with 21."

            else -> null
        }
    }
} catch (unreadable: IOException) {
    throw UnusableJar("$jar cannot be read: ${unreadable.message}.", "Check the file.")
}

private val SPRING_BOOT = Regex("""spring-boot-(\d+)\.(\d+)\..*""")

/** The first Spring Boot with `spring.threads.virtual.enabled`, 3.2, and the first JDK with virtual threads. */
private const val FIRST_MAJOR = 3
private const val FIRST_MINOR = 2
private const val FIRST_WITH_VIRTUAL_THREADS = 21

/** WebFlux on Tomcat has both libraries: Tomcat is the server, and Reactor Netty only a client. */
internal fun stackOf(libraries: List<String>): Stack {
    fun has(prefix: String) = libraries.any { it.startsWith(prefix) }
    return when {
        has("tomcat-embed-core-") -> Stack.TOMCAT
        has("jetty-server-") || has("undertow-core-") -> Stack.UNKNOWN
        has("reactor-netty-http-") -> Stack.NETTY
        else -> Stack.UNKNOWN
    }
}

/** `orders-1.4.2-SNAPSHOT.jar` is `orders`; characters that are invalid in a cell's id become dashes. */
private fun subjectName(file: Path): String =
    file.nameWithoutExtension.replace(Regex("-\\d.*$"), "").replace(Regex("[^A-Za-z0-9._-]"), "-").ifEmpty { "subject" }
