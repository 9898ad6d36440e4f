package bootdyno.subjects.downstream

/**
 * Serves at most [size] connections at the same time, and the others in the order of their requests, unless it [refuses] them. A connection has one
 * request at a time. Owned by the server's event loop.
 */
internal class Places(private val size: Int, private val refuses: Boolean) {
    private val served = HashSet<SlowConnection>()
    private val waiting = LinkedHashMap<SlowConnection, () -> Unit>()

    /** Calls [serve] when there is a place for [connection], which keeps it until it [leaves][leave]. False if it is refused. */
    fun enter(connection: SlowConnection, serve: () -> Unit): Boolean {
        if (refuses && served.size >= size) return false
        waiting[connection] = serve
        fill()
        return true
    }

    /** No effect on others if [connection] has no place and does not wait for one. */
    fun leave(connection: SlowConnection) {
        served -= connection
        waiting -= connection
        fill()
    }

    private fun fill() {
        while (served.size < size) {
            val (connection, serve) = waiting.pollFirstEntry() ?: return
            served += connection
            serve()
        }
    }
}
