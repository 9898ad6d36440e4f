package bootdyno.engines.k6

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadMeasured
import bootdyno.engine.LoadOrder
import bootdyno.engine.TruthServer
import bootdyno.engine.after
import bootdyno.engine.atOnce
import bootdyno.engine.good
import bootdyno.engine.order
import bootdyno.model.ErrorCause
import bootdyno.model.Expectation
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicLong
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** k6 itself, where it is installed: users' scripts, and what only k6 does with our own. */
@Tag("live")
@Tag("full")
class K6ScriptTest(@param:TempDir private val folder: Path) {
    @BeforeEach
    fun k6IsInstalled() = K6ForTests.assumed()

    private fun drive(order: LoadOrder, script: Path? = null, options: Map<String, String> = emptyMap()): LoadMeasured =
        K6ForTests.engine(folder.resolve("k6.log"), script, options).use { it.drive(order) }

    private fun closed(port: Int, expect: Expectation = Expectation(body = "ok")) =
        order(port, LoadProfile.Closed(5), window = 1.seconds, expect = expect)

    private fun script(text: String): Path = folder.resolve("load.js").also { it.writeText(text.trimIndent()) }

    private fun refusal(script: String): String = TruthServer.start(atOnce()).use { server ->
        shouldThrow<EngineFailed> { drive(closed(server.port), script(script)) }.message.orEmpty()
    }

    @Test
    fun `what finds no free user in open load is not sent, and said`() {
        val asked = AtomicLong()
        val reply = after(200.milliseconds)
        TruthServer.start {
            asked.incrementAndGet()
            reply(it)
        }.use { server ->
            // Two users answer ten requests a second.
            val found = drive(order(server.port, LoadProfile.Open(50.0), window = 2.seconds), options = mapOf("vus" to "2")).found
            found.errors.keys shouldBe setOf(ErrorCause.CLIENT)
            found.answered + found.inFlight shouldBeInRange 1L..asked.get()
            found.due shouldBe found.answered + found.inFlight + found.errors.getValue(ErrorCause.CLIENT)
        }
    }

    @Test
    fun `a user's script runs unchanged, with the subject's address, its variables and the files beside it`() {
        folder.resolve("paths.json").writeText("[\"/first\", \"/second\"]")
        val asked = AtomicLong()
        TruthServer.start {
            asked.incrementAndGet()
            it.answer(good)
        }.use { server ->
            val text = """
                import http from 'k6/http';
                import { check, group } from 'k6';
                const paths = JSON.parse(open('./paths.json'));
                export const options = { vus: 2, iterations: 10 };
                export default function () {
                    group('shop', () => paths.forEach((path) => {
                        const answer = http.get(__ENV.BASE_URL + path + '?size=' + __ENV.SIZE, { tags: { name: path } });
                        check(answer, { 'is short': (it) => it.body.length < 2 });
                    }));
                }
                export function setup() { http.get(__ENV.BASE_URL + '/login'); }
                export const teardown = setup;
            """
            val found = drive(closed(server.port), script(text), mapOf("env.SIZE" to "5")).found
            asked.get() shouldBe 22
            found.answered shouldBe 20
            found.errors shouldBe emptyMap()
            found.operations.map { it.name }.sorted() shouldContainExactly listOf("shop / /first", "shop / /second")
            found.complaints shouldBe mapOf("checks failed" to 20L)
        }
    }

    @Test
    fun `local addresses in a script lead to the subject, whatever their port`() {
        TruthServer.start(atOnce()).use { server ->
            val text = """
                import http from 'k6/http';
                export const options = { vus: 1, iterations: 5 };
                const base = __ENV.BASE_URL || 'http://localhost:8080/api';
                export default function () {
                    http.get('http://localhost:8080/a');
                    http.get('http://127.0.0.1:9/b');
                    http.get('http://shop-app:8080/d');
                    http.get('http://host.docker.internal:8080/d');
                    http.get(`${'$'}{base}/c`);
                }
            """
            val found = drive(closed(server.port), script(text)).found
            found.answered shouldBe 25
            found.errors shouldBe emptyMap()
            found.operations.map { it.name }.sorted() shouldContainExactly listOf("GET /a", "GET /api/c", "GET /b", "GET /d")
            val addresses = "localhost:8080, localhost:9, shop-app:8080, host.docker.internal:8080"
            found.complaints shouldBe mapOf("addresses of the script, all sent to the subject ($addresses)" to 4L)
        }
    }

    @Test
    fun `thresholds that fail are said beside the figures`() {
        TruthServer.start(atOnce()).use { server ->
            val text = """
                import http from 'k6/http';
                export const options = { vus: 1, iterations: 5, thresholds: { http_reqs: ['count > 100'] } };
                export default function () { http.get(__ENV.BASE_URL); }
            """
            val found = drive(closed(server.port), script(text)).found
            found.answered shouldBe 5
            found.complaints shouldBe mapOf("metrics with failed thresholds (http_reqs)" to 1L)
            folder.resolve("k6.log").readText() shouldContain "thresholds on metrics 'http_reqs' have been crossed"
        }
    }

    @Test
    fun `a script that throws after each request, and iterations that found no user, are said with their numbers`() {
        val asked = AtomicLong()
        TruthServer.start {
            asked.incrementAndGet()
            it.answer(good)
        }.use { server ->
            val throwing = """
                import http from 'k6/http';
                export const options = { vus: 1, iterations: 7 };
                export default function () { http.get(__ENV.BASE_URL); undefined.length; }
            """
            val found = drive(closed(server.port), script(throwing)).found
            found.answered shouldBe asked.get()
            val (what, times) = found.complaints.entries.single()
            what shouldContain "exception of the script (TypeError: Cannot read property 'length' of undefined"
            times shouldBe 7
            val dropping = """
                import http from 'k6/http';
                import { sleep } from 'k6';
                const users = { preAllocatedVUs: 1, maxVUs: 1 };
                export const options = { scenarios: { s: { executor: 'constant-arrival-rate', rate: 20, duration: '2s', ...users } } };
                export default function () { http.get(__ENV.BASE_URL); sleep(0.5); }
            """
            val (dropped, iterations) = drive(closed(server.port), script(dropping)).found.complaints.entries.single()
            dropped shouldBe "iterations dropped"
            iterations shouldBeInRange 30L..39L
        }
    }

    @Test
    fun `a script that is broken, aborts or sends nothing is a failure with its reason`() {
        refusal("export default function ( {") shouldContain "load.js: Line 1:28 Unexpected end of input"
        refusal("import http from 'k6/http'; nowhere();") shouldContain "The script of k6 is broken: ReferenceError: nowhere"
        refusal("export default function () { throw new Error('no more'); }") shouldContain "k6 made no request"
        val aborting = "import exec from 'k6/execution'; export default function () { exec.test.abort('enough'); }"
        refusal(aborting) shouldContain "enough"
        refusal("export const options = { vus: 'many' }; export default function () {}") shouldContain
            "The script of k6 is broken: strconv.ParseInt: parsing"
    }
}
