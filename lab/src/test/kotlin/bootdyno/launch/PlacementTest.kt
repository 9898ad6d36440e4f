package bootdyno.launch

import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.system.formatCpuList
import bootdyno.system.parseCpuList
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test

class PlacementTest {
    private data class Case(
        val cpus: Double?,
        val by: CpuBy,
        val machine: String,
        val subject: String,
        val engine: String,
        val shared: Boolean,
    )

    @Test
    fun `services get a CPU of their own where the engine has one to spare, else they sit beside it`() {
        data class Apart(val cpus: Double?, val by: CpuBy, val machine: String, val engine: String, val services: String)
        listOf(
            Apart(1.0, CpuBy.PINNING, "0-1", engine = "0", services = "0"),
            Apart(1.0, CpuBy.PINNING, "0-2", engine = "0", services = "1"),
            Apart(2.0, CpuBy.PINNING, "0-3", engine = "0", services = "1"),
            Apart(1.0, CpuBy.PINNING, "0-7", engine = "0-5", services = "6"),
            // A quarter of the engine's twelve.
            Apart(4.0, CpuBy.PINNING, "0-15", engine = "0-8", services = "9-11"),
            Apart(4.0, CpuBy.QUOTA, "0-7", engine = "0", services = "1"),
            Apart(1.0, CpuBy.QUOTA, "0-2", engine = "0", services = "0"),
            // Everyone shares everything.
            Apart(2.0, CpuBy.PINNING, "0-1", engine = "0-1", services = "0-1"),
            Apart(null, CpuBy.PINNING, "0-3", engine = "0-3", services = "0-3"),
        ).forEach { case ->
            withClue(case) {
                val limits = Limits(case.cpus, null, case.by)
                val placement = place(limits, parseCpuList(case.machine), services = true)
                listOf(placement.engine, placement.services).map(::formatCpuList) shouldBe listOf(case.engine, case.services)
                placement.subject shouldBe place(limits, parseCpuList(case.machine)).subject
            }
        }
    }

    @Test
    fun `subject and engine are kept apart where the machine has the CPUs`() {
        listOf(
            Case(1.0, CpuBy.PINNING, "0-1", "1", "0", shared = false),
            Case(1.0, CpuBy.PINNING, "0-7", "7", "0-6", shared = false),
            Case(2.0, CpuBy.PINNING, "0-3", "2-3", "0-1", shared = false),
            Case(0.5, CpuBy.PINNING, "0-1", "1", "0", shared = false),
            Case(1.5, CpuBy.PINNING, "0-3", "2-3", "0-1", shared = false),
            Case(1.0, CpuBy.PINNING, "2,5", "5", "2", shared = false),
            // Nothing is left for the engine.
            Case(2.0, CpuBy.PINNING, "0-1", "0-1", "0-1", shared = true),
            Case(1.0, CpuBy.PINNING, "0", "0", "0", shared = true),
            // A quota of 1 on one CPU would never throttle: the subject keeps both.
            Case(1.0, CpuBy.QUOTA, "0-1", "0-1", "0", shared = true),
            Case(0.5, CpuBy.QUOTA, "0-1", "1", "0", shared = false),
            Case(1.0, CpuBy.QUOTA, "0-2", "1-2", "0", shared = false),
            // A quarter of 8 is 2: 6 stay, more than 4; with 6.5 only one can be spared; with 7 none.
            Case(4.0, CpuBy.QUOTA, "0-7", "2-7", "0-1", shared = false),
            Case(6.5, CpuBy.QUOTA, "0-7", "1-7", "0", shared = false),
            Case(7.0, CpuBy.QUOTA, "0-7", "0-7", "0", shared = true),
            Case(null, CpuBy.QUOTA, "0-3", "0-3", "0-3", shared = true),
        ).forEach { case ->
            withClue(case) {
                val placement = place(Limits(case.cpus, null, case.by), parseCpuList(case.machine))
                placement shouldBe Placement(parseCpuList(case.subject), parseCpuList(case.engine), case.shared)
            }
        }
    }
}
