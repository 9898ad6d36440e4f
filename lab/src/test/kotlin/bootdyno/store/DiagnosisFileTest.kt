package bootdyno.store

import bootdyno.model.BeanReading
import bootdyno.model.DatabaseActivity
import bootdyno.model.Diagnosis
import bootdyno.model.DumpedThreads
import bootdyno.model.HIDDEN
import bootdyno.model.MovedLimit
import bootdyno.model.MovedSlice
import bootdyno.model.Profile
import bootdyno.model.Sessions
import bootdyno.model.SessionsReading
import bootdyno.model.SocketReading
import bootdyno.model.StackTable
import bootdyno.model.StackWeight
import bootdyno.model.ThreadDump
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.fileSize
import kotlin.io.path.readText
import kotlin.io.path.writeText

class DiagnosisFileTest(@param:TempDir private val parent: Path) {
    private val diagnosis = Diagnosis(
        from = 40.5,
        to = 46.0,
        answeredPerSecond = 380.0,
        stacks = StackTable(
            listOf("java.lang.Thread.sleep(Thread.java:540)", "Orders.find(Orders.java:12)"),
            listOf(listOf(0, 1)),
        ),
        dumps = listOf(
            ThreadDump(41.0, 0.05, listOf(DumpedThreads(200, "http-nio-8080-exec-", state = "TIMED_WAITING", stack = 0))),
        ),
        beans = listOf(BeanReading(41.0, "com.zaxxer.hikari:type=Pool (HikariPool-1)", mapOf("ActiveConnections" to 10.0))),
        sockets = listOf(SocketReading(41.0, 400, mapOf("127.0.0.1:5432" to 10), 0)),
        profile = Profile(cpu = listOf(StackWeight(0, 12.0))),
        settings = mapOf("server.tomcat.threads.max" to "200"),
        moved = listOf(
            MovedLimit(
                "HikariPool-1",
                "HikariCP connections",
                original = 10.0,
                slices = listOf(MovedSlice(47.0, 0.8, 10.0, 99.5), MovedSlice(48.5, 0.8, 20.0, 199.0)),
                readBack = 10.0,
            ),
        ),
        missing = listOf("There is no database."),
    )
    private val folder = SampleRun.folder(parent)
    private val file = folder.path.resolve("trials/0007-tomcat.virtual--blocking--open/diagnosis.json")

    private fun write(diagnosis: Diagnosis?) {
        folder.keep(SampleRun.outcome().copy(diagnosis = diagnosis))
    }

    private fun read(): Diagnosis? = folder.read().also { it.damaged.shouldBeEmpty() }.trials.single().diagnosis

    @Test
    fun `a diagnosis is read back as it was written, and a trial without one has none`() {
        write(diagnosis)
        read() shouldBe diagnosis
        read()?.stacks?.stack(0)?.map { "$it" } shouldBe listOf("Thread.sleep, line 540", "Orders.find, line 12")
    }

    @Test
    fun `a trial without a diagnosis is read`() {
        write(null)
        read() shouldBe null
    }

    @Test
    fun `a trial with a damaged diagnosis counts, and the diagnosis says what is wrong`() {
        write(diagnosis)
        val sound = file.readText()
        mapOf(
            "" to "it is empty",
            sound.take(100) to "it is damaged",
            sound.replace("\"stack\":0", "\"stack\":7") to "it refers to a stack that is not in its table",
            sound.replace("[[0,1]]", "[[0,2]]") to "a stack has a frame that is not in its table",
            sound.replace("\"from\":40.5", "\"from\":-40.5") to "from is -40.5, which is impossible",
            sound.replace("\"seconds\":0.8,\"value\":20", "\"seconds\":0.0,\"value\":20") to
                "it has a slice of no length at a limit of HikariCP connections",
            sound.replace("\"value\":20.0", "\"value\":0.0") to "it has a limit of no HikariCP connections",
            sound.replace("\"original\":10.0", "\"original\":-1.0") to "it has a limit of no HikariCP connections",
            sound.replace("\"perSecond\":199.0", "\"perSecond\":1e10") to "no server answers so many",
            sound.replace("\"at\":48.5", "\"at\":47.5") to
                "its slices at limits of HikariCP connections do not follow one another",
            sound.replace("\"at\":47.0", "\"at\":40.0") to
                "its slices at limits of HikariCP connections do not follow one another",
            sound.replace("{\"from\"", "{\"schemaVersion\":2,\"from\"") to "use a newer one",
        ).forEach { (text, reason) ->
            file.writeText(text)
            read()?.missing?.single().orEmpty() shouldContain reason
        }
    }

    @Test
    fun `secrets in names, settings and statements are hidden`() {
        val statement = Sessions(1, "active", statement = "SELECT * FROM users WHERE password = 'hunter2'")
        write(
            diagnosis.copy(
                settings = mapOf("spring.datasource.password" to "hunter2"),
                dumps = listOf(ThreadDump(41.0, 0.0, listOf(DumpedThreads(name = "token=hunter2", stack = 0)))),
                database = DatabaseActivity(listOf(SessionsReading(41.0, listOf(statement)))),
                missing = listOf("password=hunter2 is wrong"),
            ),
        )
        file.readText() shouldNotContain "hunter2"
        read()?.settings shouldBe mapOf("spring.datasource.password" to HIDDEN)
    }

    @Test
    fun `twenty dumps of 5,000 threads in a hundred places are a small file`() {
        val frames = (0 until 1000).map { "org.springframework.web.servlet.FrameworkServlet.service(FrameworkServlet.java:$it)" }
        val stacks = (0 until 100).map { stack -> (0 until 60).map { (stack * 7 + it) % frames.size } }
        val threads = stacks.indices.map {
            DumpedThreads(50, "", virtual = true, state = "WAITING", stack = it, waitsFor = "Semaphore@1")
        }
        write(
            diagnosis.copy(
                stacks = StackTable(frames, stacks),
                dumps = (0 until 20).map { ThreadDump(it.toDouble(), 0.1, threads) },
            ),
        )
        file.fileSize() shouldBeLessThan 500_000
    }
}
