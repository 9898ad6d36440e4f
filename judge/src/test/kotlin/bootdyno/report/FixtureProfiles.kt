package bootdyno.report

import bootdyno.model.CellId
import bootdyno.model.Diagnosis
import bootdyno.model.Preset
import bootdyno.model.Profile
import bootdyno.model.StackTable
import bootdyno.model.StackWeight

/** Invented profiles of two cells: the second computes less, and writes more. */
internal object FixtureProfiles {
    val baseline = CellId("tomcat/blockingIO")
    val candidate = CellId("tomcat-virtual/blockingIO")

    private val stacks = StackTable(
        listOf(
            "java.lang.Thread.run(:1474)",
            "org.apache.tomcat.util.net.SocketProcessorBase.run(:53)",
            "com.example.Orders.find(:42)",
            "com.example.Orders.find(:43)",
            "com.example.Prices<Net>.sum(:7)",
            "sun.nio.ch.SocketDispatcher.write0()",
            "org.apache.tomcat.util.net.NioEndpoint.doRun(:1770)",
        ),
        listOf(listOf(4, 2, 6, 1, 0), listOf(2, 6, 1, 0), listOf(3, 6, 1, 0), listOf(5, 6, 1, 0)),
    )

    /** Samples of 1,000: in `sum`, in two lines of `find`, in `write0`. */
    fun diagnosis(sum: Int, find: Int, write: Int, event: String = "jdk.CPUTimeSample"): Diagnosis {
        val cpu = listOf(sum, find, find, write).mapIndexed { index, weight -> StackWeight(index, weight.toDouble()) }
        return Diagnosis(from = 45.0, to = 50.0, stacks = stacks, profile = Profile(cpu, event, allocation = cpu.take(1)))
    }

    /** [second]: the profile of the second cell. */
    fun report(second: Diagnosis = diagnosis(300, 100, 500)): Report {
        val found = mapOf(baseline to diagnosis(600, 100, 200), candidate to second)
        return reportOf(Fixture.run(1, Preset.QUICK, listOf("$baseline", "$candidate", "tomcat/noop"))).remeasured {
            copy(diagnosis = found[record.trial.cell])
        }
    }
}
