package bootdyno.launch

import bootdyno.model.CpuBy
import bootdyno.model.Limits
import bootdyno.system.CpuTopology
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

    /** [cores] and [nodes] as in `/sys`; the process may use [available]. */
    private data class OnCores(
        val cpus: Double,
        val by: CpuBy,
        val cores: List<String>,
        val nodes: List<String>,
        val available: String,
        val subject: String,
        val engine: String,
        val shared: Boolean = false,
        val sharedCore: Boolean = false,
    ) {
        fun place() = place(
            Limits(cpus, null, by),
            parseCpuList(available),
            topology = CpuTopology(cores.map(::parseCpuList), nodes.map(::parseCpuList)),
        )
    }

    @Test
    fun `the load engine has no hardware thread of a subject's core while there are other cores`() {
        val one = listOf("0-1")
        val two = listOf("0,2", "1,3")
        val four = listOf("0,4", "1,5", "2,6", "3,7")
        val nodes = listOf("0-1,4-5", "2-3,6-7")
        val eight = (0..7).map { "$it,${it + 8}" }
        val twoNodes = listOf("0-3,8-11", "4-7,12-15")
        listOf(
            // One core: nothing else is possible.
            OnCores(1.0, CpuBy.PINNING, one, one, "0-1", "0", "1", sharedCore = true),
            OnCores(2.0, CpuBy.PINNING, one, one, "0-1", "0-1", "0-1", shared = true),
            // The sibling 3 of the subject's CPU stays idle.
            OnCores(1.0, CpuBy.PINNING, two, listOf("0-3"), "0-3", "1", "0,2"),
            // Two threads of one core, so that the engine has the other core.
            OnCores(2.0, CpuBy.PINNING, two, listOf("0-3"), "0-3", "1,3", "0,2"),
            OnCores(3.0, CpuBy.PINNING, two, listOf("0-3"), "0-3", "0-1,3", "2", sharedCore = true),
            // One thread per core while there are cores.
            OnCores(2.0, CpuBy.PINNING, four, listOf("0-7"), "0-7", "2-3", "0-1,4-5"),
            OnCores(3.0, CpuBy.PINNING, four, listOf("0-7"), "0-7", "1-3", "0,4"),
            OnCores(4.0, CpuBy.PINNING, four, listOf("0-7"), "0-7", "1-3,7", "0,4"),
            // On one node if it fits, with the engine on the same node.
            OnCores(1.0, CpuBy.PINNING, four, nodes, "0-7", "3", "2,6"),
            OnCores(2.0, CpuBy.PINNING, four, nodes, "0-7", "2-3", "0-1,4-5"),
            OnCores(2.0, CpuBy.PINNING, eight, twoNodes, "0-15", "6-7", "4-5,12-13"),
            OnCores(6.0, CpuBy.PINNING, eight, twoNodes, "0-15", "2-7", "0-1,8-9"),
            // A container that may use one node, and one whose CPUs are of three cores.
            OnCores(1.0, CpuBy.PINNING, listOf("2,6", "3,7"), listOf("2-3,6-7"), "2,3,6,7", "3", "2,6"),
            OnCores(1.0, CpuBy.PINNING, listOf("1,5", "2", "7"), listOf("1-2,5,7"), "1,2,5,7", "7", "1-2,5"),
            // The engine has whole cores under a quota too.
            OnCores(1.0, CpuBy.QUOTA, two, listOf("0-3"), "0-3", "1,3", "0,2"),
            OnCores(2.0, CpuBy.QUOTA, four, listOf("0-7"), "0-7", "1-3,5-7", "0,4"),
            OnCores(1.0, CpuBy.QUOTA, four, nodes, "0-7", "3,7", "2,6"),
            OnCores(3.0, CpuBy.QUOTA, four, nodes, "0-7", "1-3,5-7", "0,4"),
            OnCores(0.5, CpuBy.QUOTA, one, one, "0-1", "1", "0", sharedCore = true),
        ).forEach { case ->
            withClue(case) {
                case.place() shouldBe Placement(
                    parseCpuList(case.subject),
                    parseCpuList(case.engine),
                    case.shared,
                    sharedCore = case.sharedCore,
                )
            }
        }
    }

    @Test
    fun `services keep away from the subject's cores too`() {
        val topology = CpuTopology(listOf(listOf(0, 2), listOf(1, 3)), listOf(listOf(0, 1, 2, 3)))
        place(Limits(1.0, null, CpuBy.PINNING), listOf(0, 1, 2, 3), services = true, topology) shouldBe
            Placement(listOf(1), listOf(0), shared = false, services = listOf(2))
    }
}
