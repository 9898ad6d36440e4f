package bootdyno.store

import bootdyno.model.Bytes
import bootdyno.model.Diagnosis
import bootdyno.model.Metric
import bootdyno.model.Series
import bootdyno.model.SeriesRow
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import java.time.LocalDateTime

class FullDiskTest(@param:TempDir private val scratch: Path) {
    private val time = LocalDateTime.of(2026, 11, 20, 10, 15, 0)

    /** 128 kB: room for the plan and small trials, not for 20,000 rows or sentences of more than 30 bytes. */
    private fun onSmallDisk(test: (RunFolder) -> Unit) {
        onSmallDisk(scratch, kibibytes = 128) { disk -> test(SampleRun.folder(disk, "full")) }
    }

    @Test
    fun `a disk that fills up costs the trial being finished, which can be finished when there is room again`() {
        onSmallDisk { folder ->
            folder.keep(TrialOutcome(SampleRun.failedRecord))
            val long = Series(List(20_000) { SeriesRow(it.toDouble(), mapOf(Metric.CPU to it.toDouble())) })
            val draft = folder.begin(SampleRun.measured)

            val failure = shouldThrow<RunFolderException> { draft.finish(SampleRun.outcome().copy(series = long)) }

            failure.message shouldContain draft.path.resolve("series.csv").toString()
            failure.message shouldContain "No space left on device"
            folder.read().trials.map { it.record.trial } shouldContainExactly listOf(SampleRun.failed)
            shouldThrow<RunFolderException> { folder.checkWritable(Bytes(Bytes.MIB)) }
            // As `resume` does it when there is room again.
            val resumed = RunFolder.open(folder.path).apply { discardDrafts() }
            resumed.keep(SampleRun.outcome())
            folder.read().trials.map { it.record.trial } shouldContainExactly listOf(SampleRun.measured, SampleRun.failed)
        }
    }

    @Test
    fun `a disk that a diagnosis fills costs the diagnosis, not what was measured before it`() {
        onSmallDisk { folder ->
            val long = Diagnosis(from = 40.0, to = 47.0, missing = List(20_000) { "It could not be observed." })

            val draft = folder.begin(SampleRun.measured)
            draft.finish(SampleRun.outcome().copy(diagnosis = long))

            val trial = folder.read().trials.single()
            trial.record.trial shouldBe SampleRun.measured
            trial.diagnosis?.missing.toString() shouldContain "No space left on device"
        }
    }

    @Test
    fun `a place that is no folder is named`() {
        val file = Files.writeString(scratch.resolve("file"), "")

        shouldThrow<RunFolderException> { RunFolder.create(file, "x", time) }.message shouldContain file.toString()
    }
}
