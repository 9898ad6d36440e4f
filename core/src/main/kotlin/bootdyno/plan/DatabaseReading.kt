package bootdyno.plan

import bootdyno.model.Database

private const val EMBEDDED = "embedded"

internal object DatabaseKeys : Shape<Database>(
    "database",
    "A PostgreSQL of our own, one in a container, or one that already runs.",
) {
    val image = key("image", text("an image", ::imageOf), "Runs PostgreSQL in a container of this image: `postgres:18`.") {
        (it as? Database.Container)?.image
    }
    val url = key("url", text("`postgresql://host:5432/name`", ::addressOf), "A server that already runs.") {
        (it as? Database.Server)?.url
    }
    val user = key("user", TEXT, "The user on that server.") { (it as? Database.Server)?.user }
    val passwordEnv = key(
        "password-env",
        text("a name", ::variableOf),
        "The *name* of the environment variable that holds the password on that server.",
        old = "passwordEnv",
    ) { (it as? Database.Server)?.passwordEnv }
    val tables = key("schema", TEXT, "An SQL file, relative to this one. It makes the tables before each trial.") { it.schema }
    val settings =
        key("settings", TEXTS_BY_NAME, "Settings of `postgresql.conf`, not for a server that already runs.") { database ->
            when (database) {
                is Database.Embedded -> database.settings
                is Database.Container -> database.settings
                is Database.Server -> null
            }
        }
}

internal val DATABASE = Either<Database>(choice(mapOf(EMBEDDED to Database.Embedded())), DatabaseKeys) { database ->
    if (database == Database.Embedded()) text(EMBEDDED) else DatabaseKeys.write(database)
}

private val ADDRESS = Regex("""postgresql://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?/[A-Za-z0-9_.-]+""")

/** In capitals, as such names are: what is not may be the password itself. */
private val VARIABLE = Regex("[A-Z_][A-Z0-9_]*")
private val SETTING_NAME = Regex("[a-z][a-z0-9_.]*")

/** Settings of a server that are ours to decide: where it listens and what it may touch. */
private val OURS = setOf("port", "listen_addresses", "unix_socket_directories", "data_directory", "hba_file", "ident_file")

/** [resolve] makes the path of the schema, written relative to the file, absolute. */
internal fun readDatabase(cursor: Cursor, resolve: (String) -> String): Database? = when (cursor.node) {
    is MapNode -> DatabaseKeys.read(cursor)?.let { database(it, resolve) }
    is TextNode, is EmptyNode, is ListNode -> cursor.oneOf(mapOf(EMBEDDED to Database.Embedded()))
}

private fun database(fields: Fields, resolve: (String) -> String): Database? {
    val schema = fields[DatabaseKeys.tables]?.let(resolve)
    val settings = fields.at(DatabaseKeys.settings)?.let(::settings).orEmpty()
    val image = fields.at(DatabaseKeys.image)
    if (listOf(DatabaseKeys.url, DatabaseKeys.user, DatabaseKeys.passwordEnv).all { fields.at(it) == null }) {
        if (image == null) return Database.Embedded(schema, settings)
        return imageOf(image)?.let { Database.Container(schema, it, settings) }
    }
    image?.problem("has no effect: a server that already runs is not started by us", "leave out url, user and password-env")
    fields.at(DatabaseKeys.settings)
        ?.problem("has no effect: a server that already runs is not started by us", "set it up so yourself")
    val url = fields.required(DatabaseKeys.url)?.let(::addressOf)
    val user = fields.required(DatabaseKeys.user)?.text()
    val passwordEnv = fields[DatabaseKeys.passwordEnv]
    return if (url == null || user == null) null else Database.Server(schema, url, user, passwordEnv)
}

private fun imageOf(cursor: Cursor): String? = cursor.text()?.let { name ->
    name.takeIf(IMAGE_NAME::matches)
        ?: cursor.problem("is not the name of an image", "write it as docker run knows it: postgres:18")
}

private fun variableOf(cursor: Cursor): String? = cursor.text()?.let { name ->
    name.takeIf(VARIABLE::matches) ?: cursor.problem(
        "is not the name of an environment variable, in capitals",
        "the password itself never stands in a file: write password-env: DB_PASSWORD and export DB_PASSWORD",
    )
}

/** JDBC's way of writing it is understood as well. The value is not repeated where it may hold a password. */
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

private fun settings(cursor: Cursor): Map<String, String>? = cursor.entries()?.mapNotNull { entry ->
    when {
        !SETTING_NAME.matches(
            entry.name,
        ) -> entry.problem("`${entry.name}` is not the name of a setting", "shared_buffers: 256MB")

        entry.name in OURS -> entry.problem("`${entry.name}` is not for the experiment to set")

        else -> entry.value.text()?.let { entry.name to it }
    }
}?.toMap()
