package bootdyno.database

import java.io.IOException

/** Why no PostgreSQL of our own can run on this machine, and what to do; null when it can. Nothing is started. */
fun whyNoPostgres(): String? = try {
    Unprivileged.here()
    if (PostgresFiles.archiveHere() == null) {
        "there is none for this machine among the libraries; name one that runs: database: { url: …, user: …, password-env: … }"
    } else {
        null
    }
} catch (refused: IOException) {
    refused.message
}
