package bootdyno.run

import bootdyno.engine.EngineContext
import bootdyno.engine.LoadEngine
import bootdyno.engines.k6.K6Engine
import bootdyno.engines.k6.whyNoK6
import bootdyno.model.Ending
import bootdyno.model.EngineSpec
import com.sun.net.httpserver.HttpServer
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.net.InetSocketAddress
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicLong
import kotlin.io.path.writeText

/** k6 itself, where it is installed, with a script whose host is not in its text. */
@Tag("full")
class SentElsewhereTest(@param:TempDir private val folder: Path) {
    private val asked = AtomicLong()

    /** Another server than the subject, on another address of loopback. */
    private val other = HttpServer.create(InetSocketAddress("127.0.0.2", 0), 0).apply {
        createContext("/") { exchange ->
            asked.incrementAndGet()
            exchange.sendResponseHeaders(204, -1)
            exchange.close()
        }
        start()
    }

    private val script = folder.resolve("load.js").apply {
        writeText(
            """
            import http from 'k6/http';
            import { sleep } from 'k6';
            export const options = { vus: 2, duration: '30s' };
            export default () => { http.get('http://' + [127, 0, 0, 2].join('.') + ':${other.address.port}/'); sleep(0.01); };
            """.trimIndent(),
        )
    }

    private val cell = smallCell().run { copy(profile = profile.copy(engine = EngineSpec("k6", "$script"))) }

    @Test
    fun `k6 is ended within its first seconds if it loads another host only, which is named`() {
        assumeTrue(whyNoK6() == null) { whyNoK6().orEmpty() }
        val clock = ManualClock()
        val context = EngineContext(emptyList(), folder.resolve("k6.log"), folder, folder)
        val k6 = K6Engine.start(context, cell.profile.engine)
        val fakes = FakeParts(clock)
        val parts = object : TrialParts by fakes {
            override fun engine(spec: EngineSpec): LoadEngine = if (spec.name == "k6") k6 else fakes.engine(spec)
        }
        val runner = TrialRunner(parts, clock, COLD) {}
        val record = runner.run(cell).record
        other.stop(0)
        record.ending.shouldBeInstanceOf<Ending.Failed>().reason shouldContain
            "load.js sends to 127.0.0.2:${other.address.port} instead of http://127.0.0.1:9000"
        // Of 6,000 in its 30 s.
        asked.get() shouldBeInRange 100L..3_000L
        k6.pid shouldBe null
    }
}
