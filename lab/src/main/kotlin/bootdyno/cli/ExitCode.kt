package bootdyno.cli

/** What `dyno` answers to scripts. 130 (interrupted) comes from the JVM itself. */
object ExitCode {
    const val FINE = 0
    const val TRIAL_FAILED = 1
    const val INPUT = 2
    const val GATE_FAILED = 3
    const val UNDECIDED = 4
}
