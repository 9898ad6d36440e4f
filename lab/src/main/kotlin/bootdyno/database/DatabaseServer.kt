package bootdyno.database

import bootdyno.model.ContainerFound

/** A PostgreSQL that answers. Closing it leaves nothing of ours behind; closing twice is fine. */
internal interface DatabaseServer : AutoCloseable {
    val access: Access

    /** Whether all that is in it, and every session, is ours. */
    val isOurs: Boolean

    /** Null for a server that already ran, as is [startupSeconds]. */
    val pid: Long?

    val startupSeconds: Double?

    /** Null for a process of this machine, and for a server that already ran. */
    val container: ContainerFound? get() = null

    /** Null while its process lives, or where that is not ours to see; then how it ended, in a sentence. */
    fun deathReport(): String?

    fun lastLogLines(n: Int = 20): List<String>
}

/** A server that already runs. */
internal class OtherServer(override val access: Access) : DatabaseServer {
    override val isOurs = false
    override val pid: Long? = null
    override val startupSeconds: Double? = null

    override fun deathReport(): String? = null

    override fun lastLogLines(n: Int): List<String> = emptyList()

    override fun close() = Unit
}
