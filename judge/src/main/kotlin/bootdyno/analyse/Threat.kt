package bootdyno.analyse

import bootdyno.model.ByWord
import bootdyno.model.Worded
import kotlinx.serialization.Serializable

/** A reason to distrust a figure: observation, effect and advice, in which commands begin with `dyno`. */
@Serializable
data class Threat(val kind: Kind, val sentence: String, val advice: String) {
    @Serializable(with = KindByWord::class)
    enum class Kind(override val word: String) : Worded {
        // The order of reports: what was not answered or not counted, what was not warm, what the machine did, and the rest.
        ERRORS("errors"),
        ENGINE_REPORT("engine-report"),
        COUNTS_DISAGREE("counts-disagree"),
        NO_INTERVAL("no-interval"),
        STILL_WARMING("still-warming"),
        COMPILER_STARVED("compiler-starved"),
        NOT_STEADY("not-steady"),
        COMPILING("compiling"),
        LOAD_GENERATOR("invalid-load-generator"),
        GENERATOR_LAG("generator-lag"),
        GENERATOR_WAITED("generator-waited"),
        FOREIGN_CPU("foreign-cpu"),
        STEAL("steal"),
        CLOCK("clock"),
        STALLED("stalled"),
        CENSORED("censored"),
        NOT_DRAINED("not-drained"),
        DATABASE_BUSY("database-busy"),
        ACCEPT_QUEUE("accept-queue"),
        SATURATED("saturated"),
        CUT_OFF("cut-off"),
        SEARCH_CUT_OFF("search-cut-off"),
        THROTTLED("throttled"),
        COLLECTING("garbage-collection"),
        HEAP_GROWING("heap-growing"),
        LIMITS_NOT_APPLIED("limits-not-applied"),
        SHARED_CPU("shared-cpu"),
        NOISY("noisy"),
        DRIFT("drift"),
        BISTABLE("bistable"),
        OUTLIERS("outliers"),
        FEW_TRIALS("few-trials"),
        FAILED_TRIALS("failed-trials"),
        REPEATED("repeated-trials"),
        DAMAGED_TRIALS("damaged-trials"),
        SEVERAL_BUILDS("several-builds"),
        SEVERAL_MACHINES("several-machines"),
        LOOPBACK("loopback"),
        VIRTUAL_MACHINE("virtual-machine"),
        GOVERNOR("governor"),
        ADAPTIVE("adaptive-stopping"),
    }
}

/** A check of a trial, a cell or a run. [sentence] describes the problem; null without one. */
internal class Check<T>(private val kind: Threat.Kind, private val advice: String, private val sentence: T.() -> String?) {
    fun of(seen: T): Threat? = seen.sentence()?.let { Threat(kind, it, advice) }
}

internal object KindByWord : ByWord<Threat.Kind>(Threat.Kind.entries)
