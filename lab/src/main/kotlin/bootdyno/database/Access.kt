package bootdyno.database

import bootdyno.launch.LOOPBACK
import bootdyno.launch.POSTGRES_PORT
import bootdyno.launch.dataSource
import bootdyno.model.HIDDEN
import java.sql.Connection
import java.sql.DriverManager
import java.sql.SQLException
import java.util.Properties

/** Our schema. Other contents of the database are not touched. */
internal const val OUR_SCHEMA = "boot_dyno"

/** User and database of our own servers. */
internal const val OUR_USER = "dyno"
internal const val OUR_DATABASE = "postgres"

/** Address and credentials of a database. The password is passed only to the server and the subjects. */
internal class Access(
    private val host: String,
    private val port: Int,
    private val name: String,
    private val user: String,
    private val password: String?,
) {
    val shown: String = "$host:$port/$name"

    val environment: Map<String, String> = "postgresql://$shown".let {
        dataSource("$it?currentSchema=$OUR_SCHEMA", "$it?schema=$OUR_SCHEMA", user, password)
    }

    fun connect(): Connection {
        val properties = Properties().apply {
            setProperty("user", user)
            if (password != null) setProperty("password", password)
            setProperty("ApplicationName", "boot-dyno")
            // Seconds: to connect, and to wait for a response.
            setProperty("connectTimeout", "5")
            setProperty("socketTimeout", "60")
        }
        return DriverManager.getConnection("jdbc:postgresql://$shown", properties)
    }

    /** [text] without the password. */
    fun hide(text: String): String = if (password.isNullOrEmpty()) text else text.replace(password, HIDDEN)

    /** The reason of a refusal, without the password and the full stop. */
    fun reasonOf(refused: SQLException): String = hide(refused.message.orEmpty().lines().first()).trimEnd('.')

    override fun toString() = "$shown as $user"

    companion object {
        /** A server of ours on this machine. */
        fun ofOurs(port: Int, password: String) = Access(LOOPBACK, port, OUR_DATABASE, OUR_USER, password)

        /** [url] is `postgresql://host:port/name`. */
        fun of(url: String, user: String, password: String?): Access {
            val (server, name) = url.removePrefix("postgresql://").split('/', limit = 2)
            val port = server.substringAfterLast(':', "").takeUnless { it.endsWith(']') }?.toIntOrNull()
            val host = if (port == null) server else server.substringBeforeLast(':')
            return Access(host, port ?: POSTGRES_PORT, name, user, password)
        }
    }
}
