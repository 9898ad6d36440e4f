package bootdyno.analyse

/** A reason to distrust a number: what was seen, why it hurts, and what to try next. */
data class Threat(val kind: Kind, val sentence: String, val advice: String) {
    enum class Kind(val word: String) {
        NO_INTERVAL("no-interval"),
        STILL_WARMING("still-warming"),
        COMPILER_STARVED("compiler-starved"),
        LOAD_GENERATOR("invalid-load-generator"),
        FOREIGN_CPU("foreign-cpu"),
        STEAL("steal"),
        ERRORS("errors"),
        CENSORED("censored"),
        NOT_DRAINED("not-drained"),
        COUNTS_DISAGREE("counts-disagree"),
        DATABASE_BUSY("database-busy"),
        ACCEPT_QUEUE("accept-queue"),
        CUT_OFF("cut-off"),
        THROTTLED("throttled"),
        COLLECTING("garbage-collection"),
        HEAP_GROWING("heap-growing"),
        LIMITS_NOT_APPLIED("limits-not-applied"),
        SHARED_CPU("shared-cpu"),
        NOISY("noisy"),
        DRIFT("drift"),
        BISTABLE("bistable"),
        FEW_TRIALS("few-trials"),
        FAILED_TRIALS("failed-trials"),
        DAMAGED_TRIALS("damaged-trials"),
        SEVERAL_BUILDS("several-builds"),
        LOOPBACK("loopback"),
        VIRTUAL_MACHINE("virtual-machine"),
        GOVERNOR("governor"),
        ADAPTIVE("adaptive-stopping"),
    }
}
