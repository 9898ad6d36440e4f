package bootdyno.subjects.person.contract

import java.util.EnumMap

/** A subject with the database it keeps people in. */
class RunningSubject(val process: SubjectProcess, val database: TestDatabase)

/** Each subject once for all tests of this JVM, since a start costs more than a test; ended with it. */
object RunningSubjects {
    private val running = EnumMap<DatabaseSubject, RunningSubject>(DatabaseSubject::class.java)

    init {
        Runtime.getRuntime().addShutdownHook(Thread { running.values.forEach { it.process.close() } })
    }

    /** [subject] without anyone in it. */
    @Synchronized
    fun empty(subject: DatabaseSubject): RunningSubject = running.getOrPut(subject) {
        val database = TestServer.database(subject.name.lowercase())
        RunningSubject(SubjectProcess(subject, database), database)
    }.also { it.database.empty() }
}
