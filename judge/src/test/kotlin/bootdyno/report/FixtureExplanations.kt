package bootdyno.report

import bootdyno.catalogue.ResourceKind
import bootdyno.catalogue.ResourceKind.LOAD_CONNECTIONS
import bootdyno.catalogue.ResourceKind.REQUEST_THREADS
import bootdyno.catalogue.ResourceKind.WORKERS
import bootdyno.explain.Advice
import bootdyno.explain.Bottleneck
import bootdyno.explain.Ceiling
import bootdyno.explain.CellExplanation
import bootdyno.model.perSecond
import bootdyno.model.significant
import bootdyno.report.FixturePlan.Plot
import bootdyno.report.FixturePlan.cell
import bootdyno.report.FixturePlan.plots
import kotlin.time.Duration.Companion.milliseconds

/** Why each cell of the invented run is as fast as it is. */
internal object FixtureExplanations {
    fun explanations() = plots.filter { it.rate != null }.map { plot ->
        val id = plot.cell().id
        when (id.text) {
            "tomcat/blockingIO" -> bound(plot, "Tomcat threads", 200.0, REQUEST_THREADS, "Set server.tomcat.threads.max to 400")
            "tomcat/suspendIO" -> bound(plot, "Dispatchers.IO threads", 64.0, WORKERS, "Use a dispatcher of its own")
            "webflux/monoIO1" -> bound(plot, "boundedElastic threads", 10.0, WORKERS, null)
            "tomcat/noop" -> CellExplanation(id, emptyList(), null, "The CPU is busy and no other limit is near.", null)
            else -> bound(plot, "client connections", 400.0, LOAD_CONNECTIONS, "Use 800 connections")
        }
    }

    private fun bound(plot: Plot, noun: String, size: Double, kind: ResourceKind, next: String?): CellExplanation {
        val rate = significant(plot.rate ?: 0.0)
        val ceiling = Ceiling(noun, kind, size, 500.milliseconds, size / 0.5, "default")
        val measured = "$rate/s of at most ${perSecond(size / 0.5)}, 500 ms per request."
        val advice = next?.let { Advice(it, "The limit is then 800/s") }
        val bottleneck = Bottleneck(ceiling.limit, measured)
        return CellExplanation(plot.cell().id, listOf(ceiling), bottleneck, null, advice, binding = ceiling)
    }
}
