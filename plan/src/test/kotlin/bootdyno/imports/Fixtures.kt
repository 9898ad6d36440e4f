package bootdyno.imports

import bootdyno.yaml.Problem
import bootdyno.yaml.Read
import io.kotest.assertions.fail

private object Fixtures

/** A file of this room's fixtures; null if there is none. */
internal fun fixture(name: String): String? = Fixtures.javaClass.getResource("/bootdyno/imports/$name")?.readText()

/** The requests of [text], with the other fixtures beside it. */
internal fun imported(text: String, vararg hosts: String): Imported = when (val read = read(text, *hosts)) {
    is Read.Sound -> read.value
    is Read.Unsound -> fail("not sound:\n" + read.problems.joinToString("\n"))
}

internal fun importedFixture(name: String, vararg hosts: String): Imported = imported(fixture(name) ?: fail("no $name"), *hosts)

internal fun read(text: String, vararg hosts: String): Read<Imported> =
    readImport("file", text.encodeToByteArray(), ImportOptions(hosts.toList(), file = { fixture(it.removePrefix("./")) }))

/** The only problem of [read]. */
internal fun problemOf(read: Read<Imported>): Problem = when (read) {
    is Read.Sound -> fail("sound: ${read.value}")
    is Read.Unsound -> read.problems.single()
}

/** `name GET /path 200 ×2`. */
internal fun lines(imported: Imported): List<String> =
    imported.operations.map { "${it.name} ${it.method} ${it.path} ${it.status} ×${it.weight}" }

/** Reason → the first request left out for it. */
internal fun leftOut(imported: Imported): Map<String, String> = imported.leftOut.associate { it.reason to it.requests.first() }
