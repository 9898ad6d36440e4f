package bootdyno.flags

import bootdyno.plan.Overrides
import bootdyno.plan.SMALL
import bootdyno.plan.sound
import bootdyno.yaml.Read
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class ObjectiveFlagTest {
    @Test
    fun `an objective of the command line is a key of the file, and what is none is a problem of its flag`() {
        val key = objectiveKey("p99 < 200 ms, errors < 0.1 %") as Read.Sound
        sound(SMALL, Overrides(set = listOf(key.value))).experiment.capacity?.text shouldBe "p99 < 200 ms, errors < 0.1 %"
        val fault = objectiveKey("fast") as Read.Unsound
        fault.problems.single().run { "$file: $message" } shouldBe "--slo: `fast` is not an objective"
    }
}
