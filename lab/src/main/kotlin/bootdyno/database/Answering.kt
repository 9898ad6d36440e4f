package bootdyno.database

import java.sql.SQLException
import java.util.concurrent.locks.LockSupport
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource

/** A server does not let us in; the message is a sentence. */
internal class NoAnswer(message: String, cause: Throwable? = null) : Exception(message, cause)

/** Classes of SQL states for which waiting does not help: wrong user or password, no such database. */
private val HOPELESS = listOf("28", "3D")

private val EVERY = 50.milliseconds

/** Asks until a query is answered. Throws [NoAnswer], at once when [death] tells of one or when we are turned away. */
internal fun awaitAnswer(access: Access, deadline: Duration, death: () -> String? = { null }) {
    val start = TimeSource.Monotonic.markNow()
    while (true) {
        death()?.let { throw NoAnswer("$it It had not yet answered.") }
        try {
            access.connect().use { it.createStatement().use { statement -> statement.execute("SELECT 1") } }
            return
        } catch (refused: SQLException) {
            val why = access.hide(refused.message.orEmpty().lines().first()).trimEnd('.')
            if (HOPELESS.any { refused.sqlState.orEmpty().startsWith(it) }) throw NoAnswer("$access: $why.", refused)
            if (start.elapsedNow() >= deadline) throw NoAnswer("$access does not answer within $deadline: $why.", refused)
        }
        LockSupport.parkNanos(EVERY.inWholeNanoseconds)
        if (Thread.interrupted()) throw InterruptedException("interrupted while waiting for a database")
    }
}
