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
    check(arguments.first() == "extract") { arguments.joinToString() }
    fun given(option: String) = arguments[arguments.indexOf(option) + 1]
    val into = Files.createDirectories(Path.of(given("--destination")))
    val own = Path.of(System.getProperty("java.class.path"))
    if ("--layers" !in arguments) {
        Files.copy(own, into.resolve(own.name), StandardCopyOption.REPLACE_EXISTING)
        return
    }
    val library = Path.of(Unit::class.java.protectionDomain.codeSource.location.toURI())
    Files.createDirectories(into.resolve("spring-boot-loader"))
    Files.copy(library, Files.createDirectories(into.resolve("dependencies/lib")).resolve("kotlin-stdlib.jar"))
    Files.copy(own, Files.createDirectories(into.resolve("application")).resolve(given("--application-filename")))
}
