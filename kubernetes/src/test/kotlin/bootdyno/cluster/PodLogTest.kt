package bootdyno.cluster

import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PodLogTest {
    private val waits = "boot-dyno: waits for its inputs\n"
    private val measures = waits + "boot-dyno: measures round 3\nwriting to /work/runs/x\n"

    @Test
    fun `the last mark says how far a pod is`() {
        podLog("").stage shouldBe PodStage.STARTS
        podLog(waits).stage shouldBe PodStage.WAITS_FOR_INPUTS
        podLog(measures).stage shouldBe PodStage.MEASURES
        podLog("$measures[  1/4] a round 3  12/s\nboot-dyno: ended 1\n").run {
            stage shouldBe PodStage.ENDED
            exitCode shouldBe 1
        }
    }

    @Test
    fun `trials are counted by the last line of progress, also without the first lines of a long log`() {
        podLog(measures).trials shouldBe null
        podLog("$measures[  1/40] a round 3  12/s\n          preparing b (one-time)\n").trials shouldBe "1 of 40 trials"
        podLog("[ 12/40] a round 3  12/s").run {
            stage shouldBe PodStage.MEASURES
            trials shouldBe "12 of 40 trials"
        }
    }

    @Test
    fun `the lines of dyno are kept without marks`() {
        podLog(
            waits + "boot-dyno: measures round 3\nThere is no JDK 21.\nNothing was started.\nboot-dyno: ended 2",
        ).lines shouldContainExactly listOf("There is no JDK 21.", "Nothing was started.")
    }
}
