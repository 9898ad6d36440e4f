package bootdyno.run

import bootdyno.database.CLUSTERS
import bootdyno.database.RunDatabase
import bootdyno.database.context
import bootdyno.database.databaseOfOurs
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.LoadSecond
import bootdyno.launch.Prepared
import bootdyno.launch.RunningSubject
import bootdyno.launch.SubjectOnDependency
import bootdyno.model.Cell
import bootdyno.model.DatabaseFound
import bootdyno.model.Ending
import bootdyno.model.EngineSpec
import bootdyno.model.Stage
import bootdyno.store.SampleRun
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.api.parallel.ResourceLock
import java.nio.file.Path
import kotlin.time.Duration

@ResourceLock(CLUSTERS)
class DatabaseDeathTest {
    @Test
    fun `a database killed under load fails that trial with the reason, the next has a fresh one, and the others are kept`(
        @TempDir parent: Path,
    ) {
        val clock = ManualClock()
        val plan = twoCellPlan()
        val folder = SampleRun.folder(parent, "small", plan)
        val ended = mutableListOf<RunEvent.TrialEnded>()
        databaseOfOurs(context(parent)).use { database ->
            val parts = PartsOnDatabase(FakeParts(clock), database, killIn = 2)
            val runner = TrialRunner(parts, clock, COLD) {}
            RoundRunner(plan, folder, runner::run, clock, { null }) {
                if (it is RunEvent.TrialEnded) ended += it
            }.run(emptyList())
        }
        val records = folder.read().trials.map { it.record }
        records.map { it.ending is Ending.Measured } shouldBe listOf(true, false, true, true)
        val failed = records[1].ending.shouldBeInstanceOf<Ending.Failed>()
        failed.stage shouldBe Stage.WINDOW
        failed.reason shouldBe "The database was ended by signal 9 (SIGKILL)."
        failed.lastLines.map { it.substringAfter("LOG:  ") } shouldContain "database system is ready to accept connections"
        val pids = records.map { it.database?.pid }
        pids[1] shouldBe pids[0]
        pids[2] shouldNotBe pids[1]
        pids[3] shouldBe pids[2]
        ended shouldHaveSize 4
    }
}

/** [fake] parts on a real [database], which is killed with SIGKILL under the load of the trial [killIn]. */
private class PartsOnDatabase(private val fake: FakeParts, private val database: RunDatabase, private val killIn: Int) :
    TrialParts by fake {
    private var trial = 0
    override var databaseFound: DatabaseFound? = null

    override fun start(cell: Cell, prepared: Prepared, log: Path): RunningSubject {
        trial++
        databaseFound = database.makeReady()
        return SubjectOnDependency(fake.start(cell, prepared, log), database, log)
    }

    override fun engine(spec: EngineSpec): LoadEngine = KillingEngine(fake.engine(spec))

    private inner class KillingEngine(private val engine: LoadEngine) : LoadEngine by engine {
        override fun drive(order: LoadOrder, onSecond: (LoadSecond) -> Unit): LoadMeasured {
            if (trial == killIn && order.window > Duration.ZERO) {
                val pid = checkNotNull(databaseFound?.pid)
                ProcessHandle.of(pid).get().destroyForcibly()
                ProcessHandle.of(pid).ifPresent { it.onExit().join() }
            }
            return engine.drive(order, onSecond)
        }
    }
}
