package bootdyno.launch

import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.name

/**
 * The application in [standInJar]: serves on `server.port`, or lays itself out as Spring Boot's jars do. It stands alone in its file: a
 * JVM looks at all functions of its main class, and of the tool there is nothing in the jar.
 */
fun main(arguments: Array<String>) {
    if (System.getProperty("jarmode") == "tools") return extract(arguments)
    println("Started StandInJar in 0.125 seconds (process running for 0.25)")
    serve(System.getProperty("server.port").toInt())
}

private fun extract(arguments: Array<String>) {
    check(arguments.take(2) == listOf("extract", "--destination")) { arguments.joinToString() }
    val into = Files.createDirectories(Path.of(arguments[2]))
    val own = Path.of(System.getProperty("java.class.path"))
    Files.copy(own, into.resolve(own.name), StandardCopyOption.REPLACE_EXISTING)
}
