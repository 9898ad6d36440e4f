package bootdyno.engine.netty

import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadPart
import bootdyno.engine.of
import bootdyno.model.DataTable
import bootdyno.model.placeholders

/** What a user keeps between requests. Owned by the event loop of its requests. */
internal class Session(
    /** The data row of a user whose login uses a column; null: each chain takes the next row. */
    val row: List<String>?,
    keepsCookies: Boolean,
    /** Number of [row] in the data, from 1. */
    val rowNumber: Int? = null,
) {
    val cookies: Cookies? = if (keepsCookies) Cookies() else null

    /** Values by the names under which the login captured them. */
    val captured = HashMap<String, String>()

    /** False before the login, and after a response that asks for one. */
    var isLoggedIn = false

    fun forget() {
        cookies?.clear()
        captured.clear()
        isLoggedIn = false
    }
}

/** The sessions of the users of [order], which last from drive to drive. Used by the thread that drives, between drives. */
internal class LoginSessions(private val order: LoadOrder, private val rows: DataTable?) {
    private val ofLoops = mutableMapOf<Int, MutableList<Session>>()
    private val loginTakesRow =
        rows != null && order.login.flatMap { it.texts }.flatMap(::placeholders).any { it in rows.columns }
    private val ownRows = rows?.of(order.part)
    private var nextRow = 0L

    /** Whether the users of [other] are these, at the same application. */
    fun serve(other: LoadOrder): Boolean = key(order) == key(other)

    private fun key(order: LoadOrder) =
        listOf(order.base, order.http, order.process, order.login, order.cookies, order.data, order.part)

    /** The first [count] sessions of event loop number [loop]. */
    fun of(loop: Int, count: Int): List<Session> {
        val ofLoop = ofLoops.getOrPut(loop) { mutableListOf() }
        while (ofLoop.size < count) ofLoop += newSession()
        return ofLoop.take(count)
    }

    private fun newSession(): Session {
        val table = ownRows?.takeIf { loginTakesRow } ?: return Session(row = null, order.cookies)
        val number = nextRow++
        val part = if (table === rows) LoadPart() else order.part
        val inFile = part.index + part.of * (number % table.rows.size).toInt() + 1
        return Session(table.row(number), order.cookies, inFile)
    }
}
