package bootdyno.keys

import bootdyno.model.Bytes
import bootdyno.yaml.YamlLimits
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Ranges of an experiment on any machine. Other values are mistakes, or make a measurement impossible. */
val ROUNDS: IntRange = 1..100
val CONNECTIONS: IntRange = 1..50_000
internal val USERS = 1..1_000_000
internal val REQUESTS_EACH = 1..1_000_000
internal const val MOST_OF_A_BURST = 1_000_000_000L
internal val POOL_SIZES = 1..1_000_000
internal val CALLS = 0..1_000_000
internal val STATUSES = 100..599
internal val WINDOWS = 100.milliseconds..24.hours
internal val READY_WITHIN = 1.seconds..1.hours
internal val TIMEOUTS = 1.milliseconds..1.hours
internal val HOLDING_TIMES = 1.microseconds..1.hours
internal val THINK_TIMES = 1.milliseconds..1.hours
internal val WARM_UP_TIMES = 100.milliseconds..24.hours
internal val BUDGETS = 1.seconds..30.days
internal val CPUS = 0.01..1024.0
internal val MEMORY = Bytes(4 * Bytes.MIB)..Bytes(16 * 1024 * Bytes.GIB)
internal val TOLERANCES = 0.001..1.0

/** Weights of operations. Only their ratios count. */
internal val WEIGHTS = 0.001..1_000_000.0

/** Values of an axis, published figures, and limits of gates. */
internal val FIGURES = 1e-6..1e12

/** Maximum size of an experiment or a `subject.yaml`. */
val LARGEST_YAML = Bytes(Bytes.MIB)

/** Limits of these files. */
internal val OF_EXPERIMENTS =
    YamlLimits(LARGEST_YAML, values = 20_000, depth = 40, "split the experiment", "docs/experiment.md has a complete example")

/** Maximum number of values in a sweep, of open rates in a list, and of cells in an experiment. */
internal const val MOST_POINTS = 1_000
internal const val MOST_OPEN_RATES = 20
internal const val MOST_CELLS = 5_000
