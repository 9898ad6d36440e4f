package bootdyno.engines.jmeter

import kotlin.time.Duration

/**
 * Which part of a run counts and when it is told to end; all times count from its first sample.
 *
 * The window opens after [settle] and ends with the last sample, or after [window] if that comes first. [lasts] says that the
 * load goes on beyond the window, which is then exactly [window] long. A run that is not over after [stopAfter] is told to
 * stop.
 */
internal data class RunLength(val settle: Duration, val window: Duration, val lasts: Boolean, val stopAfter: Duration)
