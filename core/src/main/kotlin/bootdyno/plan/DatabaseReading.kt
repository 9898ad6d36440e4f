package bootdyno.plan

import bootdyno.model.Database

internal const val EMBEDDED = "embedded"
internal val SERVER_KEYS = listOf("url", "user", "passwordEnv")
internal val DATABASE_KEYS = SERVER_KEYS + listOf("image", "schema", "settings")

private val ADDRESS = Regex("""postgresql://(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?/[A-Za-z0-9_.-]+""")

/** In capitals, as such names are: what is not may be the password itself. */
private val VARIABLE = Regex("[A-Z_][A-Z0-9_]*")
private val SETTING_NAME = Regex("[a-z][a-z0-9_.]*")

/** Of an image as engines take it: `postgres`, `postgres:18`, `registry.test:5000/team/postgres@sha256:…`. */
private val IMAGE = Regex("[A-Za-z0-9][A-Za-z0-9._:/@-]*")

/** Settings of a server that are ours to decide: where it listens and what it may touch. */
private val OURS = setOf("port", "listen_addresses", "unix_socket_directories", "data_directory", "hba_file", "ident_file")

/**
 * Reads `embedded`, or `{ schema: person.sql, settings: {…} }` of an embedded one, or the same with `image: postgres:18` of one in a
 * container, or `{ url: …, user: …, passwordEnv: … }` of one that already runs. [resolve] makes the path of the schema, written relative
 * to the file, absolute.
 */
internal fun readDatabase(cursor: Cursor, resolve: (String) -> String): Database? = when (cursor.node) {
    is MapNode -> cursor.fields(DATABASE_KEYS)?.let { database(it, resolve) }
    is TextNode, is EmptyNode, is ListNode -> cursor.oneOf(mapOf(EMBEDDED to Database.Embedded()))
}

private fun database(fields: Fields, resolve: (String) -> String): Database? {
    val schema = fields["schema"]?.text()?.let(resolve)
    val settings = fields["settings"]?.let(::settings)
    val server = SERVER_KEYS.mapNotNull { fields[it] }
    val image = fields["image"]
    if (server.isEmpty()) {
        if (image == null) return Database.Embedded(schema, settings.orEmpty())
        return image(image)?.let { Database.Container(schema, it, settings.orEmpty()) }
    }
    image?.problem("has no effect: a server that already runs is not started by us", "leave out url, user and passwordEnv")
    fields["settings"]?.problem("has no effect: a server that already runs is not started by us", "set it up so yourself")
    val url = fields.required("url")?.let(::address)
    val user = fields.required("user")?.text()
    val passwordEnv = fields["passwordEnv"]?.let(::variable)
    return if (url == null || user == null) null else Database.Server(schema, url, user, passwordEnv)
}

private fun image(cursor: Cursor): String? = cursor.text()?.let { name ->
    name.takeIf(IMAGE::matches) ?: cursor.problem("is not the name of an image", "write it as docker run knows it: postgres:18")
}

private fun variable(cursor: Cursor): String? = cursor.text()?.let { name ->
    name.takeIf(VARIABLE::matches) ?: cursor.problem(
        "is not the name of an environment variable, in capitals",
        "the password itself never stands in a file: write passwordEnv: DB_PASSWORD and export DB_PASSWORD",
    )
}

/** JDBC's way of writing it is understood as well. The value is not repeated where it may hold a password. */
private fun address(cursor: Cursor): String? {
    val url = cursor.text()?.removePrefix("jdbc:")?.removePrefix("r2dbc:")?.removeSuffix("/") ?: return null
    val hint = "write postgresql://host:5432/name"
    return when {
        ADDRESS.matches(url) -> url
        '@' in url -> cursor.problem("has a user in it", "user: and passwordEnv: are keys of their own; $hint")
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
