package bootdyno.engines.gatling

import bootdyno.engine.BurstFaultsKit
import bootdyno.engine.ClosedKit
import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadEngine
import bootdyno.engine.LoadSecond
import bootdyno.engine.OpenKit
import bootdyno.engine.SmallServer
import bootdyno.engine.UnansweredKit
import bootdyno.engine.order
import bootdyno.model.ErrorCause
import bootdyno.model.LoadProfile
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.maps.shouldContain
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.writeText
import kotlin.reflect.KClass
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** Gatling itself against servers whose truth is known. Each drive is a new JVM, so that one drive shows as much as it can. */
@Tag("live")
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatlingEngineTest :
    ClosedKit,
    OpenKit,
    BurstFaultsKit,
    UnansweredKit,
    GatlingTraits {
    private val folder = Files.createTempDirectory("gatling-test")
    override val engine: LoadEngine by lazy { engine() }

    @BeforeAll
    fun gatlingIsThere() {
        GatlingForTests.assumed()
    }

    @AfterAll
    fun clean() {
        engine.close()
        folder.toFile().deleteRecursively()
    }

    override val timing: KClass<RecordedLogTest> get() = RecordedLogTest::class
    override val liveRun: KClass<GatlingLiveTest> get() = GatlingLiveTest::class

    private fun engine(script: Path? = null, vararg options: Pair<String, String>) =
        GatlingForTests.engine(folder.resolve("engine.log"), script, options.toMap())

    @Test
    fun `an order that cannot be carried out is the engine's failure, not the subject's`() {
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Open(-1.0), window = 20.seconds)) }.message shouldContain
            "perSecond=-1.0"
        shouldThrow<EngineFailed> { engine.drive(order(1, LoadProfile.Closed(1), window = Duration.ZERO)) }.message shouldContain
            "window"
    }

    // The user's own simulations

    private fun simulation(name: String, text: String): Path =
        folder.resolve("$name.java").also { it.writeText(IMPORTS + text.trimIndent()) }

    @Test
    fun `a user's simulation runs as it is, each kind of request told apart, its failed assertion beside`() {
        val script = simulation(
            "Shop",
            """
            public class Shop extends Simulation {{
                FeederBuilder<String> goods = csv("goods.csv").circular();
                setUp(scenario("buying").feed(goods)
                        .exec(http("list").get("/list"))
                        .group("cart").on(exec(http("buy").get("/buy?it=#{it}").check(status().is(404))))
                        .injectOpen(atOnceUsers(Integer.getInteger("users"))))
                    .protocols(http.baseUrl(System.getProperty("baseUrl")).disableWarmUp()
                        .header("X-Same", System.getenv("BASE_URL") + System.getProperty("dyno.port")
                            + System.getProperty("BASE_URL") + System.getProperty("quoted")))
                    .assertions(global().failedRequests().count().is(0L));
            }}
            """,
        )
        folder.resolve("goods.csv").writeText("it\ntea\ncake\n")
        val asked = ConcurrentHashMap.newKeySet<String>()
        val answering = SmallServer { exchange ->
            asked += "${exchange.requestURI} ${exchange.requestHeaders.getFirst("X-Same")}"
            exchange.sendResponseHeaders(200, -1)
        }
        answering.use { server ->
            val port = server.port
            engine(script, "properties.users" to "5", "properties.quoted" to QUOTED).use { theirs ->
                val seconds = mutableListOf<LoadSecond>()
                val measured = theirs.drive(order(port, LoadProfile.Closed(1), window = 20.seconds), seconds::add)
                measured.found.answered shouldBe 5
                measured.found.errors shouldBe mapOf(ErrorCause.STATUS to 5)
                measured.found.operations.map { it.name } shouldContainExactly listOf("list", "cart / buy")
                measured.latencies.operations.keys shouldBe setOf("list", "cart / buy")
                measured.found.complaints shouldBe mapOf("failed assertions, or more" to 1L)
                seconds.first().at shouldBe 0.0
            }
            val same = "http://127.0.0.1:$port${port}http://127.0.0.1:$port$QUOTED"
            asked shouldContainExactlyInAnyOrder listOf("/list $same", "/buy?it=tea $same", "/buy?it=cake $same")
        }
    }

    @Test
    fun `a simulation that breaks or asks nothing is a failure with its reason`() {
        val nothing = simulation(
            "Nothing",
            """
            public class Nothing extends Simulation {{
                if (System.getProperty("dyno.port").equals("1")) throw new IllegalStateException("no such shop");
                setUp(scenario("idle").exec(session -> session).injectOpen(atOnceUsers(1)));
            }}
            """,
        )
        engine(nothing).use { theirs ->
            shouldThrow<EngineFailed> { theirs.drive(order(2, LoadProfile.Closed(1), window = 20.seconds)) }.message shouldContain
                "made no request"
            shouldThrow<EngineFailed> { theirs.drive(order(1, LoadProfile.Closed(1), window = 20.seconds)) }.message shouldContain
                "no such shop"
        }
        val broken = simulation("Broken", "public class Broken extends Simulation {{ setUp(nobody); }}")
        shouldThrow<EngineFailed> { engine(broken) }.message shouldContain "cannot find symbol"
    }

    private companion object {
        const val QUOTED = """a "b" c\d"""
        val IMPORTS = """
            import static io.gatling.javaapi.core.CoreDsl.*;
            import static io.gatling.javaapi.http.HttpDsl.*;
            import io.gatling.javaapi.core.*;

        """.trimIndent()
    }
}
