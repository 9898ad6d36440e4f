package bootdyno.explain

import bootdyno.catalogue.ResourceKind
import bootdyno.model.Cell
import bootdyno.model.LoadProfile
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Pool
import bootdyno.model.Stack
import bootdyno.model.Step
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.microseconds
import kotlin.time.Duration.Companion.milliseconds

class ConfiguredCeilingsTest {
    private fun of(cell: Cell, kind: ResourceKind, seen: Seen = Seen()) =
        configuredCeilings(cell, seen).filter { it.kind == kind }.map { "${it.limit}: ${it.allows} (${it.source})" }

    @Test
    fun `200 Tomcat threads by default, as set, and lifted by virtual threads`() {
        fun threads(settings: Map<String, String>) =
            of(cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, settings), ResourceKind.REQUEST_THREADS)
        threads(emptyMap()).shouldContainExactly("200 Tomcat threads: 400.0 (default)")
        threads(
            mapOf("server.tomcat.threads.max" to "50"),
        ).shouldContainExactly("50 Tomcat threads: 100.0 (server.tomcat.threads.max)")
        threads(mapOf(VIRTUAL to "false")).size shouldBe 1
        threads(mapOf(VIRTUAL to "true")).shouldBeEmpty()
    }

    @Test
    fun `virtual threads under Tomcat's executor lift its threads too`() {
        of(
            cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, mapOf("subject.executor" to "virtual")),
            ResourceKind.REQUEST_THREADS,
        ).shouldBeEmpty()
        of(
            cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, mapOf("subject.executor" to "platform")),
            ResourceKind.REQUEST_THREADS,
        ).size shouldBe 1
    }

    @Test
    fun `the pool of a client is a limit of its own, by default and as set`() {
        fun pools(settings: Map<String, String>) = cell(Stack.NETTY, Occupied.NOTHING, settings).let { cell ->
            val styles = cell.subject.styles.map {
                it.copy(pool = Pool("connections of the WebClient", "downstream.connections", 500))
            }
            of(cell.copy(subject = cell.subject.copy(styles = styles)), ResourceKind.CLIENT_CONNECTIONS).single()
        }
        pools(emptyMap()) shouldBe "500 connections of the WebClient: 1000.0 (default)"
        pools(mapOf("downstream.connections" to "50")) shouldBe "50 connections of the WebClient: 100.0 (downstream.connections)"
    }

    @Test
    fun `a fixed pool and a semaphore have as many places as the JVM counts CPUs`() {
        of(cell(Stack.TOMCAT, Occupied.FIXED_POOL), ResourceKind.WORKERS)
            .shouldContainExactly("1 thread of the fixed pool: 2.0 (CPUs the JVM counts)")
        of(cell(Stack.TOMCAT, Occupied.SEMAPHORE, cpus = 2.0), ResourceKind.SEMAPHORE)
            .shouldContainExactly("2 permits of the semaphore: 4.0 (CPUs the JVM counts)")
    }

    @Test
    fun `virtual threads take plain functions off the event loops, coroutines and publishers not`() {
        fun loops(occupied: Occupied, virtual: String) =
            of(cell(Stack.NETTY, occupied, mapOf(VIRTUAL to virtual)), ResourceKind.EVENT_LOOPS).size
        listOf(loops(Occupied.REQUEST_THREAD, "false"), loops(Occupied.REQUEST_THREAD, "true")) shouldBe listOf(1, 0)
        listOf(loops(Occupied.EVENT_LOOP, "false"), loops(Occupied.EVENT_LOOP, "true")) shouldBe listOf(1, 1)
    }

    @Test
    fun `a setting is also found in the environment and among the system properties`() {
        val plain = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD)
        val inEnvironment = plain.copy(variant = plain.variant.copy(environment = mapOf("SERVER_TOMCAT_THREADS_MAX" to "10")))
        of(
            inEnvironment,
            ResourceKind.REQUEST_THREADS,
        ).shouldContainExactly("10 Tomcat threads: 20.0 (server.tomcat.threads.max)")
        val asProperty = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, jvm = listOf("-D$VIRTUAL=true"))
        of(asProperty, ResourceKind.REQUEST_THREADS).shouldBeEmpty()
    }

    @Test
    fun `Tomcat serves 8192 connections unless set otherwise`() {
        fun connections(settings: Map<String, String> = emptyMap()) =
            of(cell(Stack.TOMCAT, Occupied.CACHED_POOL, settings), ResourceKind.SERVER_CONNECTIONS)
        connections().shouldContainExactly("8,192 Tomcat connections: 16384.0 (default)")
        connections(mapOf("server.tomcat.max-connections" to "-1")).shouldBeEmpty()
        val netty = cell(Stack.NETTY, Occupied.CACHED_POOL)
        of(netty, ResourceKind.SERVER_CONNECTIONS).shouldBeEmpty()
        of(netty, ResourceKind.LOAD_CONNECTIONS).shouldContainExactly("400 client connections: 800.0 (profile saturate)")
    }

    @Test
    fun `Dispatchers_IO has 64 threads, or as many as CPUs, or as set, whatever virtual threads do`() {
        fun io(jvm: List<String> = emptyList(), cpus: Double? = 1.0) = of(
            cell(Stack.TOMCAT, Occupied.DISPATCHERS_IO, mapOf(VIRTUAL to "true"), jvm, cpus = cpus),
            ResourceKind.WORKERS,
        )
        io().shouldContainExactly("64 Dispatchers.IO threads: 128.0 (default)")
        io(cpus = 100.0).shouldContainExactly("100 Dispatchers.IO threads: 200.0 (default)")
        io(cpus = null).shouldContainExactly("64 Dispatchers.IO threads: 128.0 (default)")
        io(listOf("-Dkotlinx.coroutines.io.parallelism=200"))
            .shouldContainExactly("200 Dispatchers.IO threads: 400.0 (kotlinx.coroutines.io.parallelism)")
    }

    @Test
    fun `Dispatchers_Default has at least 2 threads`() {
        fun default(cpus: Double?) = of(cell(Stack.TOMCAT, Occupied.DISPATCHERS_DEFAULT, cpus = cpus), ResourceKind.WORKERS)
        default(1.0).shouldContainExactly("2 Dispatchers.Default threads: 4.0 (default)")
        default(3.0).shouldContainExactly("3 Dispatchers.Default threads: 6.0 (default)")
        default(null).shouldBeEmpty()
    }

    @Test
    fun `boundedElastic has ten threads a CPU as the JVM counts CPUs`() {
        fun elastic(cpus: Double, jvm: List<String> = emptyList()) = of(
            cell(Stack.NETTY, Occupied.BOUNDED_ELASTIC, mapOf(VIRTUAL to "true"), jvm, cpus = cpus),
            ResourceKind.WORKERS,
        )
        elastic(1.0).shouldContainExactly("10 boundedElastic threads: 20.0 (default)")
        elastic(1.5).shouldContainExactly("20 boundedElastic threads: 40.0 (default)")
        elastic(1.0, listOf("-XX:ActiveProcessorCount=4")).shouldContainExactly("40 boundedElastic threads: 80.0 (default)")
        elastic(1.0, listOf("-Dreactor.schedulers.defaultBoundedElasticSize=50"))
            .shouldContainExactly("50 boundedElastic threads: 100.0 (reactor.schedulers.defaultBoundedElasticSize)")
    }

    @Test
    fun `parallel has a thread a CPU`() {
        of(cell(Stack.NETTY, Occupied.PARALLEL, cpus = 2.0), ResourceKind.WORKERS)
            .shouldContainExactly("2 Schedulers.parallel() threads: 4.0 (default)")
    }

    @Test
    fun `Reactor Netty has at least four event loops, which virtual threads free from handlers`() {
        fun loops(cpus: Double, settings: Map<String, String> = emptyMap()) =
            of(cell(Stack.NETTY, Occupied.REQUEST_THREAD, settings, cpus = cpus), ResourceKind.EVENT_LOOPS)
        loops(1.0).shouldContainExactly("4 event loops: 8.0 (default)")
        loops(6.0).shouldContainExactly("6 event loops: 12.0 (default)")
        loops(1.0, mapOf(VIRTUAL to "true")).shouldBeEmpty()
        of(cell(Stack.NETTY, Occupied.BOUNDED_ELASTIC), ResourceKind.EVENT_LOOPS).shouldBeEmpty()
    }

    @Test
    fun `the load has a ceiling of its own, connections or an offered rate`() {
        fun load(load: LoadProfile) = configuredCeilings(cell(Stack.NETTY, Occupied.CACHED_POOL, load = load)).filter {
            it.allows !=
                null
        }
        load(LoadProfile.Closed(100)).map { it.allows }.shouldContainExactly(200.0)
        load(LoadProfile.Burst(10_000, 100)).map { it.allows }.shouldContainExactly(20_000.0)
        load(LoadProfile.Open(500.0)).map { it.kind to it.allows }.shouldContainExactly(ResourceKind.OFFERED_RATE to 500.0)
    }

    @Test
    fun `the CPU allows what a request's CPU time leaves, as found before as asked for`() {
        val noop = cell(Stack.NETTY, Occupied.NOTHING, holds = null, cpus = 2.0)
        of(noop, ResourceKind.CPU).shouldContainExactly("2 CPUs: null (limits.cpus)")
        val seen = configuredCeilings(noop, Seen(cpuSecondsPerRequest = 50e-6, cpus = 1.0)).single { it.kind == ResourceKind.CPU }
        seen.limit.text shouldBe "1 CPU"
        seen.heldFor shouldBe 50.microseconds
        seen.allows shouldBe 20_000.0
        seen.source shouldBe "as applied"
        val unlimited = noop.copy(limits = noop.limits.copy(cpus = null))
        configuredCeilings(unlimited, Seen(cpus = 8.0)).single { it.kind == ResourceKind.CPU }.source shouldBe
            "all of this machine"
        val running = noop.copy(subject = noop.subject.copy(origin = Origin.Url("http://host:1")))
        configuredCeilings(running, Seen(cpus = 8.0)).filter { it.kind == ResourceKind.CPU }.shouldBeEmpty()
    }

    @Test
    fun `the database's CPU allows what a request costs there, with the share of those that run beside`() {
        val noop = cell(Stack.TOMCAT, Occupied.NOTHING, holds = null)
        fun of(database: DatabaseCpu) = configuredCeilings(noop, Seen(database = database)).single {
            it.kind ==
                ResourceKind.DATABASE_CPU
        }
        val shared = of(DatabaseCpu(cpus = 1.0, secondsPerRequest = 250e-6, listOf("the load generator", "the application")))
        shared.limit.text shouldBe "1 CPU of the database, the load generator and the application"
        shared.allows shouldBe 4_000.0
        of(DatabaseCpu(cpus = 2.0, secondsPerRequest = 250e-6)).limit.text shouldBe "2 CPUs of the database"
        of(noop, ResourceKind.DATABASE_CPU).shouldBeEmpty()
    }

    @Test
    fun `how long a request holds is as the experiment says, never the response time of one request`() {
        val unsaid = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD, holds = null)
        of(
            unsaid,
            ResourceKind.REQUEST_THREADS,
            Seen(aloneSeconds = 0.5),
        ).shouldContainExactly("200 Tomcat threads: null (default)")
        val said = cell(Stack.TOMCAT, Occupied.REQUEST_THREAD)
        configuredCeilings(said, Seen(aloneSeconds = 9.0)).first().heldFor shouldBe 500.milliseconds
    }

    @Test
    fun `of an unknown stack only the load and the CPU are known, unless its threads give it away`() {
        val unknown = cell(Stack.UNKNOWN, null)
        configuredCeilings(unknown).map { it.kind }.shouldContainExactly(ResourceKind.LOAD_CONNECTIONS, ResourceKind.CPU)
        of(unknown, ResourceKind.REQUEST_THREADS, Seen(threadFamilies = setOf("tomcat")))
            .shouldContainExactly("200 Tomcat threads: 400.0 (default)")
        of(unknown, ResourceKind.EVENT_LOOPS, Seen(threadFamilies = setOf("event-loop")))
            .shouldContainExactly("4 event loops: 8.0 (default)")
    }

    @Test
    fun `the tightest comes first and unknown ones last`() {
        configuredCeilings(cell(Stack.TOMCAT, Occupied.REQUEST_THREAD)).map { it.limit.text }
            .shouldContainExactly("200 Tomcat threads", "400 client connections", "8,192 Tomcat connections", "1 CPU")
    }

    @Test
    fun `open load of a chain offers as many requests as it has steps`() {
        val open = cell(Stack.TOMCAT, Occupied.CACHED_POOL).let { cell ->
            val chain = cell.workload.copy(steps = listOf(Step("create", path = "/x"), Step("delete", path = "/x")))
            cell.copy(workload = chain, profile = cell.profile.copy(load = LoadProfile.Open(50.0)))
        }
        of(open, ResourceKind.OFFERED_RATE).single() shouldBe "100/s offered: 100.0 (profile saturate)"
    }
}
