package bootdyno.subjects.downstream

import kotlin.system.exitProcess

/**
 * Manual start: `java -jar target/downstream.jar --distribution=exponential --mean=500`, then http://localhost:8081/slow. SIGTERM ends it.
 */
fun main(arguments: Array<String>) {
    val settings = try {
        Settings.read(arguments, System::getProperty, System::getenv)
    } catch (wrong: IllegalArgumentException) {
        System.err.println(wrong.message)
        exitProcess(2)
    }
    val server = DownstreamServer.start(settings)
    println("ready on http://127.0.0.1:${server.port}/slow: ${settings.waiting}, seed ${settings.seed}")
}
