package bootdyno.database

import bootdyno.model.Database
import bootdyno.system.availableCpus
import bootdyno.system.ledger.Ledger
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** Where PostgreSQL's programs are unpacked for all tests; readable for whoever it runs as. */
internal val PROGRAMS: Path = Path.of(System.getProperty("java.io.tmpdir"), "boot-dyno-test-programs")

internal val PERSON_TABLE: Path = Path.of("../subjects/person/schema.sql").toAbsolutePath().normalize()

internal fun context(folder: Path, cpus: List<Int> = availableCpus()) =
    DatabaseContext(cpus, PROGRAMS, Ledger(folder.resolve("ledgers")), folder.resolve("run").resolve("database.log"))

internal fun databaseOfOurs(context: DatabaseContext, what: Database.Embedded = Database.Embedded("$PERSON_TABLE")) =
    RunDatabase(what, null, context)

/** Held by the tests that make clusters, since [clusters] sees all of them. */
internal const val CLUSTERS = "clusters of PostgreSQL"

/** The folders of clusters that are there now. */
internal fun clusters(): Set<String> = Path.of("/var/tmp").listDirectoryEntries("boot-dyno-postgres-*").map { it.name }.toSet()
