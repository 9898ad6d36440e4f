package bootdyno.run

import bootdyno.engine.LoadSecond

/** Adds the drives of a trial up, since each drive counts from zero. Written by the engine's thread, read by the sampler's. */
internal class LoadTally {
    private var answeredBefore = 0L
    private var errorsBefore = 0L
    private var latest: LoadSecond? = null

    /** @return requests answered a second since the drive's last second */
    @Synchronized
    fun add(second: LoadSecond): Double {
        val previous = latest
        latest = second
        val seconds = second.at - (previous?.at ?: 0.0)
        return if (seconds > 0) (second.answered - (previous?.answered ?: 0)) / seconds else 0.0
    }

    @Synchronized
    fun driveEnded() {
        answeredBefore += latest?.answered ?: 0
        errorsBefore += latest?.errors ?: 0
        latest = null
    }

    /** Null before the first drive has begun. */
    @Synchronized
    fun soFar(): LoadSoFar? {
        val second =
            latest ?: return if (answeredBefore + errorsBefore > 0) LoadSoFar(answeredBefore, errorsBefore, 0, null) else null
        return LoadSoFar(answeredBefore + second.answered, errorsBefore + second.errors, second.inFlight, second.p99Ms)
    }
}
