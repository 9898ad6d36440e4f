package bootdyno.diagnose

import bootdyno.model.Profile
import bootdyno.system.onFailure
import jdk.jfr.consumer.RecordingFile
import jdk.management.jfr.FlightRecorderMXBean
import java.io.IOException
import java.nio.file.Path
import javax.management.JMException
import javax.management.JMX
import javax.management.MBeanServerConnection
import javax.management.ObjectName
import kotlin.io.path.createTempFile
import kotlin.io.path.deleteIfExists
import kotlin.io.path.outputStream

/**
 * A recording of JDK Flight Recorder in another JVM, over JMX. Starting the first one in a JVM loads some hundred classes there. Every call may
 * block while that JVM is busy, and throws an [IOException] or a runtime exception if it does not answer as expected.
 *
 * One recording that is read at its end costs the other JVM less than a stream, which writes out its buffers each second.
 */
internal class FlightRecorder private constructor(private val bean: FlightRecorderMXBean, private val id: Long) : AutoCloseable {
    /** Ends the recording and reads it; the other JVM is no longer needed when it [isHere]. */
    fun stop(stacks: StackTableBuilder, isHere: () -> Unit = {}): Profile {
        bean.stopRecording(id)
        val file = createTempFile("flight", ".jfr")
        try {
            fetch(file)
            isHere()
            val events = FlightEvents()
            RecordingFile(file).use { while (it.hasMoreEvents()) events.add(it.readEvent()) }
            return events.profile(stacks)
        } finally {
            file.deleteIfExists()
        }
    }

    /** Removes the recording in the other JVM, ended or not. */
    override fun close() = bean.closeRecording(id)

    private fun fetch(file: Path) {
        val stream = bean.openStream(id, mapOf("blockSize" to "$BLOCK_BYTES"))
        try {
            file.outputStream().use { out -> generateSequence { bean.readStream(stream) }.forEach(out::write) }
        } finally {
            bean.closeStream(stream)
        }
    }

    companion object {
        private val NAME = ObjectName("jdk.management.jfr:type=FlightRecorder")
        private val COMMANDS = ObjectName("com.sun.management:type=DiagnosticCommand")
        private const val BLOCK_BYTES = 1_000_000

        /** Oldest events beyond are dropped. */
        private const val MOST_BYTES = 25_000_000

        /** Null for a JVM without Flight Recorder: OpenJ9, a runtime image without `jdk.management.jfr`. */
        fun start(beans: MBeanServerConnection): FlightRecorder? {
            if (!beans.isRegistered(NAME)) return null
            deepen(beans)
            val bean = JMX.newMXBeanProxy(beans, NAME, FlightRecorderMXBean::class.java)
            val recorder = FlightRecorder(bean, bean.newRecording())
            onFailure(recorder::close) {
                bean.setRecordingOptions(recorder.id, mapOf("name" to "Boot Dyno", "maxSize" to "$MOST_BYTES"))
                bean.setRecordingSettings(recorder.id, SETTINGS)
                bean.startRecording(recorder.id)
            }
            return recorder
        }

        /** Stacks of Spring applications are deeper than the default of 64 frames. Possible only before the first recording of a JVM. */
        private fun deepen(beans: MBeanServerConnection) {
            try {
                val words = arrayOf<Any>(arrayOf("stackdepth=256"))
                beans.invoke(COMMANDS, "jfrConfigure", words, arrayOf("[Ljava.lang.String;"))
            } catch (_: JMException) {
                // Stacks are cut off at their outer end then.
            }
        }

        /**
         * Events that a JVM does not have are ignored there. Thresholds and rates are those of the JDK's `profile.jfc`; lower for what is rare.
         */
        private val SETTINGS = mapOf(
            "${FlightEvents.CPU_TIME}#throttle" to "${FlightEvents.SAMPLING.toMillis()} ms",
            "${FlightEvents.EXECUTION}#period" to "${FlightEvents.SAMPLING.toMillis()} ms",
            "${FlightEvents.ALLOCATION}#throttle" to "300/s",
            "${FlightEvents.MONITOR}#threshold" to "1 ms",
            "${FlightEvents.PARK}#threshold" to "10 ms",
            "${FlightEvents.SOCKET_READ}#threshold" to "10 ms",
            "${FlightEvents.PINNED}#threshold" to "1 ms",
            "${FlightEvents.GC_PAUSE}#threshold" to "0 ms",
        ).flatMap { (setting, value) -> listOf(setting to value, setting.substringBefore('#') + "#enabled" to "true") }.toMap()
    }
}
