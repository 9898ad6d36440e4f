package bootdyno.cluster

/** How far a pod is. */
internal enum class PodStage { STARTS, WAITS_FOR_INPUTS, MEASURES, ENDED }

/**
 * What a pod has printed.
 * @param exitCode of `dyno run`, when it has ended
 * @param trials finished and planned, `2 of 4 trials`; null before the first
 * @param lines all that `dyno run` printed, without the marks of our script
 */
internal data class PodLog(val stage: PodStage, val exitCode: Int?, val trials: String?, val lines: List<String>)

private const val MARK = "boot-dyno: "
private val WAITS = Regex("""${MARK}waits for its inputs""")
private val MEASURES = Regex("""${MARK}measures round \d+""")
private val ENDED = Regex("""${MARK}ended (\d+)""")

/** As LineProgress of the command line writes it: `[  2/4] tomcat/a …`. */
private val TRIAL = Regex("""\[ *(\d+)/(\d+)] .*""")

/** Reads the end of a pod's log, as pod.sh and `dyno run` write it. */
internal fun podLog(text: String): PodLog {
    val lines = text.lines().filter { it.isNotBlank() }
    val ended = lines.lastOrNull(ENDED::matches)
    val ownLines = lines.filterNot { it.startsWith(MARK) }
    return PodLog(
        stage = when {
            ended != null -> PodStage.ENDED
            ownLines.isNotEmpty() || lines.any(MEASURES::matches) -> PodStage.MEASURES
            lines.any(WAITS::matches) -> PodStage.WAITS_FOR_INPUTS
            else -> PodStage.STARTS
        },
        exitCode = ended?.let { ENDED.matchEntire(it) }?.groupValues?.get(1)?.toInt(),
        trials = ownLines.lastOrNull(TRIAL::matches)?.let { TRIAL.matchEntire(it) }?.destructured
            ?.let { (done, all) -> "$done of $all trials" },
        lines = ownLines,
    )
}
