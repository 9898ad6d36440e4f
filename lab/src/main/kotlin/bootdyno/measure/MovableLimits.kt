package bootdyno.measure

import bootdyno.diagnose.SizeOfPool
import bootdyno.launch.RunningSubject
import bootdyno.model.MovedLimit
import bootdyno.occupancy.Resource
import bootdyno.probe.JvmConnection
import bootdyno.probe.jmxOrNull
import bootdyno.run.MovableLimit
import bootdyno.run.SettableSize
import kotlin.math.floor

private const val LARGER = 2
private const val SMALLER = 0.8

/** The size of a pool of connections or threads. Connections that are handed over are counted twice for a moment. */
internal class PoolLimit private constructor(private val suspect: Resource, private val pool: SizeOfPool, size: Int) :
    MovableLimit {
    override val resource: String get() = suspect.id
    override val noun: String get() = suspect.noun
    override val original = size.toDouble()
    override val larger = original * LARGER
    override val smaller: Double? = minOf(size - 1.0, floor(size * SMALLER + ROUNDING)).takeIf { it >= 1 }
    override val inUse: Double? get() = suspect.inUse.ifEmpty { null }?.average()

    override fun set(value: Double): Boolean = jmxOrNull { pool.set(value.toInt()) } ?: false

    override fun read(): Double? = jmxOrNull { pool.read()?.toDouble() }

    override fun isObeyed(value: Double): Boolean = jmxOrNull { pool.inUse() }?.let { it <= value } ?: true

    override fun isTaken(value: Double): Boolean = jmxOrNull { pool.inUse() }?.let { it >= value } ?: true

    companion object {
        private const val ROUNDING = 1e-9

        /** Null if the size of [suspect] cannot be changed, or is another one than the thread dumps show. */
        fun of(jvm: JvmConnection, suspect: Resource): PoolLimit? = jmxOrNull {
            suspect.entry?.let { SizeOfPool.of(jvm.beans, it, threads = suspect.id) }?.let { pool ->
                pool.read()?.takeIf { it == suspect.size }?.let { PoolLimit(suspect, pool, it) }
            }
        }
    }
}

/** The size of the only pool of a kind, as a setting gives it at the start. */
internal class PoolSize private constructor(private val pool: SizeOfPool) : SettableSize {
    override fun set(value: Int): Boolean = jmxOrNull { pool.set(value) } ?: false

    override fun read(): Int? = jmxOrNull { pool.read() }

    companion object {
        /** Null if there is no such pool, or several, or if its size cannot be changed. */
        fun of(jvm: JvmConnection, setting: String): PoolSize? = SizeOfPool.of(jvm.beans, setting)?.let(::PoolSize)
    }
}

/** The CPU limit of a subject that uses nearly all of it. */
internal class CpuLimit private constructor(private val subject: RunningSubject, override val original: Double, most: Double) :
    MovableLimit {
    override val resource = MovedLimit.CPUS
    override val noun = "CPUs"
    override val larger: Double? = minOf(original * LARGER, most).takeIf { it >= original * LEAST_MORE }
    override val smaller = original * SMALLER
    override val inUse: Double? get() = null

    override fun set(value: Double): Boolean = subject.moveCpus(value.takeUnless { it == original })

    override fun read(): Double? = subject.limits.cpus

    companion object {
        /** From this share on, the CPU is a suspect: others may have taken a part of the time. */
        private const val BUSY = 0.8

        /** A smaller step upwards shows nothing. */
        private const val LEAST_MORE = 1.25

        /** [used]: CPUs that it used under load. */
        fun of(subject: RunningSubject, used: Double?): CpuLimit? {
            val most = subject.mostCpus ?: return null
            val limit = subject.limits.cpus ?: return null
            return if (used != null && used >= BUSY * limit) CpuLimit(subject, limit, most) else null
        }
    }
}
