package bootdyno.keys

import bootdyno.model.Database
import bootdyno.yaml.Cursor
import bootdyno.yaml.Either
import bootdyno.yaml.FILE
import bootdyno.yaml.Fields
import bootdyno.yaml.NOWHERE
import bootdyno.yaml.Shape
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.TextNode
import bootdyno.yaml.choice
import bootdyno.yaml.text

private const val EMBEDDED = "embedded"
private val ADDRESS = Regex("""postgresql://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?/[A-Za-z0-9_.-]+""")

/** Capitals only: other text may be the password itself. */
private val VARIABLE = Regex("[A-Z_][A-Z0-9_]*")
private val SETTING_NAME = Regex("[a-z][a-z0-9_.]*")

/** Server settings that Boot Dyno sets: addresses and files. */
private val RESERVED_SETTINGS =
    setOf("port", "listen_addresses", "unix_socket_directories", "data_directory", "hba_file", "ident_file")
private const val RUNS_ALREADY = "has no effect: a server that already runs is not started by us"

internal object DatabaseKeys : Shape<Database, Database>(
    "database",
    "PostgreSQL: embedded, in a container, or a running server.",
) {
    private val image by key(image("postgres:18"), "Run PostgreSQL in a container of this image: `postgres:18`.") {
        (it as? Database.Container)?.image
    }
    private val url by key(text("`postgresql://host:5432/name`", ::addressOf), "Address of a running server.") {
        (it as? Database.Server)?.url
    }
    private val user by key(TEXT, "User name for that server.") { (it as? Database.Server)?.user }
    private val passwordEnv by key(
        text("a name", ::variableOf),
        "*Name* of the environment variable with the password for that server.",
        oldName = "passwordEnv",
    ) { (it as? Database.Server)?.passwordEnv }
    private val sql by key(FILE, "SQL file that creates the tables before each trial, relative to this file.", name = "schema") {
        it.schema
    }
    private val settings by key(TEXTS_BY_NAME, "Settings of `postgresql.conf`. Not for a running server.") {
        (it as? Database.Embedded)?.settings ?: (it as? Database.Container)?.settings
    }

    override fun make(fields: Fields): Database? {
        fields.at(settings)?.entries()?.forEach { entry ->
            if (!SETTING_NAME.matches(entry.name)) {
                entry.problem("`${entry.name}` is not the name of a setting", "shared_buffers: 256MB")
            }
            if (entry.name in RESERVED_SETTINGS) entry.problem("`${entry.name}` is set by Boot Dyno")
        }
        if (listOf(url, user, passwordEnv).all { fields.at(it) == null }) {
            val own = fields[settings].orEmpty()
            return fields[image]?.let { Database.Container(fields[sql], it, own) } ?: Database.Embedded(fields[sql], own)
        }
        fields.at(image)?.problem(RUNS_ALREADY, "leave out url, user and password-env")
        fields.at(settings)?.problem(RUNS_ALREADY, "configure it yourself")
        val name = fields.required(user)?.text()
        val address = fields.required(url)?.let(::addressOf) ?: return null
        return name?.let { Database.Server(fields[sql], address, it, fields[passwordEnv]) }
    }
}

internal val DATABASE = Either<_, Database>(choice(mapOf(EMBEDDED to Database.Embedded())), DatabaseKeys) { database ->
    if (database == Database.Embedded()) TextNode(EMBEDDED, NOWHERE) else DatabaseKeys.write(database)
}

private fun variableOf(cursor: Cursor): String? = cursor.text()?.let { name ->
    name.takeIf(VARIABLE::matches) ?: cursor.problem(
        "is not the name of an environment variable, in capitals",
        "the password itself never stands in a file: write password-env: DB_PASSWORD and export DB_PASSWORD",
    )
}

/** JDBC and R2DBC URLs are accepted. Problems do not repeat the value, because it may contain a password. */
private fun addressOf(cursor: Cursor): String? {
    val url = cursor.text()?.removePrefix("jdbc:")?.removePrefix("r2dbc:")?.removeSuffix("/") ?: return null
    val hint = "write postgresql://host:5432/name"
    return when {
        ADDRESS.matches(url) -> url
        '@' in url -> cursor.problem("has a user in it", "user: and password-env: are keys of their own; $hint")
        '?' in url -> cursor.problem("has parameters in it", hint)
        else -> cursor.problem("is not the address of a PostgreSQL database", hint)
    }
}
