package bootdyno.keys

import bootdyno.flags.JarQuestion
import bootdyno.flags.experimentOfJar
import bootdyno.model.Bytes
import bootdyno.model.Origin
import bootdyno.model.Subject
import bootdyno.plan.Machine
import bootdyno.plan.Overrides
import bootdyno.plan.SMALL
import bootdyno.plan.SUBJECTS
import bootdyno.plan.Surroundings
import bootdyno.plan.line
import bootdyno.plan.problems
import bootdyno.plan.readPlan
import bootdyno.yaml.Read
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class RangesTest {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = [
            "rounds=1000000000 | a whole number from 1 to 100",
            "rounds=0 | a whole number from 1 to 100",
            "rounds=99999999999999999999 | a whole number from 1 to 100",
            "max-rounds=1e3 | a whole number from 1 to 100",
            "seed=9223372036854775808 | a whole number from -2^63 to 2^63 - 1",
            "limits.cpus=1e400 | a number from 0.01 to 1,024",
            "limits.cpus=NaN | a number from 0.01 to 1,024",
            "limits.cpus=Infinity | a number from 0.01 to 1,024",
            "limits.cpus=-1 | a number from 0.01 to 1,024",
            "limits.memory=1 B | an amount of memory from 4 MiB to 16384 GiB",
            "limits.memory=99999999999 GiB | an amount of memory from 4 MiB to 16384 GiB",
            "profiles.saturate.window=1 ns | a duration from 100 ms to 24 h",
            "profiles.saturate.window=8760 h | a duration from 100 ms to 24 h",
            "profiles.saturate.window=99999999999999999999 h | a duration from 100 ms to 24 h",
            "profiles.saturate.timeout=0 s | a duration from 1 ms to 1 h",
            "profiles.saturate.closed=1000000000 | a whole number from 1 to 50,000",
            "profiles.saturate.closed=[ 1, 1000000000 ] | a whole number from 1 to 50,000",
            "profiles.saturate.open=1000000000/s | a rate from 0.001 to 1,000,000 a second",
            "profiles.saturate.open=1e400/s | a rate from 0.001 to 1,000,000 a second",
            "profiles.saturate.burst=1000000000 x 1 | at most 1,000,000 users",
            "profiles.saturate.burst=1000000 x 1000000 | at most 1,000,000 users and 1,000,000,000 requests in all",
            "profiles.saturate.burst=99999999999 x 1 | at most 1,000,000 users",
            "warm-up.budget=1 ns | a duration from 100 ms to 24 h",
            "warm-up.law-like=0 s | a duration from 100 ms to 24 h",
            "budget=87600 h | a duration from 1 s to 720 h",
            "latency-at=[ 0 % ] | a percentage from 1 % to 99 %",
            "latency-at=[ 1000 % ] | a percentage from 1 % to 99 %",
            "latency-at=[ 1e999999999 % ] | a percentage from 1 % to 99 %",
            "workloads.noop.holds=1 ns | a duration from 1 µs to 1 h",
            "workloads.noop.calls=9999999999 | a whole number from 0 to 1,000,000",
            "workloads.noop.expect.status=1000 | an HTTP status",
            "gates=[ a/noop.p99 <= 99999999999999999999 h ] | is not a limit for p99",
        ],
    )
    fun `a value that nothing can be measured with is a problem with the range that is allowed`(setting: String, range: String) {
        val wrong = problems(SMALL, Overrides(set = listOf(setting))).joinToString("\n")
        wrong shouldContain range
    }

    @Test
    fun `a machine has no more CPUs and memory than it has`() {
        val machine = Machine(cpus = 2, memory = Bytes(8 * Bytes.GIB))
        fun problems(limits: String) = when (val planned = read("$SMALL\nlimits: $limits", machine)) {
            is Read.Sound -> emptyList()
            is Read.Unsound -> planned.problems.map(::line)
        }
        problems("{ cpus: 2, memory: 8 GiB }").shouldBeEmpty()
        problems("{ cpus: unlimited, memory: unlimited }").shouldBeEmpty()
        problems("{ cpus: 1000 }").single() shouldBe
            "9:17 limits.cpus: 1000 CPUs are more than this machine has (it has 2: write at most that)"
        problems("{ memory: 9 GiB }").single() shouldBe
            "9:19 limits.memory: 9 GiB is more memory than this machine has (it has 8192 MiB: write less than that)"
    }

    @Test
    @Timeout(20)
    fun `sweeps and cells without end are refused before they are made`() {
        val values = (1..15_000).joinToString()
        problems("$SMALL\n  many: { closed: [ $values ] }").single() shouldContain "has 15,000 values (sweep at most 1,000)"
        val sweep = { name: String -> "$name: { closed: [ ${(1..900).joinToString()} ] }" }
        problems("$SMALL\n  ${sweep("x")}\n  ${sweep("y")}\n  ${sweep("z")}").single() shouldContain
            "makes 5,402 cells (measure at most 5,000"
        val app = Subject("app", Origin.Jar("/app.jar"))
        val vary = (1..40).map { "key$it=a,b" }
        val found = experimentOfJar(JarQuestion(app, listOf("/"), vary), Surroundings(), Overrides()) as Read.Unsound
        found.problems.map(::line).single() shouldContain "makes more than 5,000 variants"
    }

    private fun read(text: String, machine: Machine) = readPlan("mine.yaml", text, SUBJECTS, {
        null
    }, Overrides(), machine = machine)
}
