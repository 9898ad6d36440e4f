package bootdyno.database

import java.nio.file.Path

/** A lab to be killed: starts a database, tells its pid, and waits. */
fun main(arguments: Array<String>) {
    val database = databaseOfOurs(context(Path.of(arguments[0])))
    println(database.makeReady().pid)
    Thread.currentThread().join()
}
