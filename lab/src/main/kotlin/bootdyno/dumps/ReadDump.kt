package bootdyno.dumps

import bootdyno.diagnose.SeenThread
import java.time.LocalDateTime

/** One thread dump as its file has it. What the file does not say is null or empty. */
internal data class ReadDump(
    val threads: List<SeenThread>,
    val form: DumpForm,
    /** In the time zone of [form]: of the application's machine, or UTC. */
    val time: LocalDateTime? = null,
    val process: Long? = null,
    /** `25.0.1+8`. */
    val jvm: String? = null,
    val cpu: List<CpuOfThread> = emptyList(),
    /** Whether its end is there. Otherwise threads are missing. */
    val isComplete: Boolean = true,
) {
    /** Age of the oldest thread, seconds: dumps of one process are as far apart as their ages. */
    val age: Double? get() = cpu.maxOfOrNull { it.age }
}

internal enum class DumpForm(val words: String, val isUtc: Boolean) {
    /** `jcmd PID Thread.print`, `jstack PID`, `kill -3 PID`. Virtual threads are missing. */
    THREAD_PRINT("Thread.print", isUtc = false),

    /** `jcmd PID Thread.dump_to_file`, as text or as JSON. */
    DUMP_TO_FILE("Thread.dump_to_file", isUtc = true),

    /** `/actuator/threaddump`, as text or as JSON. Virtual threads are missing. */
    ACTUATOR("actuator", isUtc = false),

    /** Put together from the events of a recording. */
    RECORDING("recording", isUtc = true),
    ;

    /** Locks and other objects are known by an address, which changes when the collector moves them; otherwise by a hash. */
    val hasAddresses: Boolean get() = this == THREAD_PRINT || this == RECORDING
}

/** CPU time of a thread since its start [age] ago, all in seconds. [id] is null for threads of the JVM itself. */
internal data class CpuOfThread(val id: Long?, val name: String, val seconds: Double, val age: Double)
