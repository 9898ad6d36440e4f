package bootdyno.plan

import bootdyno.model.EngineKind
import bootdyno.model.Occupied
import bootdyno.model.Origin
import bootdyno.model.Plan
import bootdyno.model.Pool
import bootdyno.model.Stack
import bootdyno.model.Style
import bootdyno.model.Subject
import io.kotest.assertions.fail
import java.io.File

/** The built-in subjects as their descriptors say, without needing them built. */
internal val SERVLET = Subject(
    name = "servlet",
    origin = Origin.Jar("/subjects/servlet.jar"),
    stack = Stack.TOMCAT,
    readyPath = "/noop",
    styles = listOf(
        Style("/noop", "no-op", Occupied.NOTHING),
        Style("/test", "constant text", Occupied.NOTHING),
        Style("/suspendNoop", "suspend no-op", Occupied.NOTHING),
        Style("/blockingIO", "blocking", Occupied.REQUEST_THREAD),
        Style("/suspendIO", "suspend", Occupied.DISPATCHERS_IO),
        Style("/completableFutureIO", "future", Occupied.CACHED_POOL),
        Style("/deferredIO1", "deferred", Occupied.DISPATCHERS_IO),
        Style("/deferredIO2", "deferred", Occupied.CACHED_POOL),
    ) + cpuStyles("/cpu0", "/cpu1", "/cpu2", "/cpu3", "/cpuSemaphore", "/cpuCoop") +
        Style(
            "/downstream",
            "call",
            Occupied.REQUEST_THREAD,
            Pool("connections of the RestClient", "downstream.connections", 20_000),
        ),
)

internal val REACTIVE = Subject(
    name = "reactive",
    origin = Origin.Jar("/subjects/reactive.jar"),
    stack = Stack.NETTY,
    readyPath = "/noop",
    styles = listOf(
        Style("/noop", "no-op", Occupied.NOTHING),
        Style("/test", "constant text", Occupied.NOTHING),
        Style("/suspendNoop", "suspend no-op", Occupied.NOTHING),
        Style("/blockingIO", "blocking", Occupied.REQUEST_THREAD),
        Style("/suspendIO", "suspend", Occupied.DISPATCHERS_IO),
        Style("/monoIO1", "mono", Occupied.BOUNDED_ELASTIC),
        Style("/monoIO2", "mono", Occupied.CACHED_POOL),
    ) + cpuStyles("/cpu0", "/cpu1", "/cpu2", "/cpu3", "/cpu4", "/cpuSemaphore", "/cpuCoop") +
        listOf("/downstream", "/downstreamFlow").map { Style(it, "call", Occupied.NOTHING) },
)

internal val DOWNSTREAM = Subject(
    name = "downstream",
    origin = Origin.Jar("/subjects/downstream.jar"),
    readyPath = "/ready",
    styles = listOf(Style("/slow", "slow answer", Occupied.NOTHING)),
    countsPath = "/counts",
)

/** The three that keep people in PostgreSQL: Tomcat with JPA and with plain SQL, and Netty. */
internal val DATABASE_SUBJECTS = listOf(
    personSubject("servlet-jdbc", Stack.TOMCAT, "JPA", Occupied.REQUEST_THREAD, "spring.datasource.hikari.maximum-pool-size"),
    personSubject(
        "servlet-jdbc-client",
        Stack.TOMCAT,
        "JdbcClient",
        Occupied.REQUEST_THREAD,
        "spring.datasource.hikari.maximum-pool-size",
    ),
    personSubject("reactive-r2dbc", Stack.NETTY, "R2DBC", Occupied.NOTHING, "spring.r2dbc.pool.max-size"),
)

private fun personSubject(name: String, stack: Stack, style: String, occupies: Occupied, poolSetting: String) = Subject(
    name = name,
    origin = Origin.Jar("/subjects/$name.jar"),
    stack = stack,
    readyPath = "/person",
    styles = listOf("/person", "/person/{id}").map { Style(it, style, occupies, Pool("connections", poolSetting, 10)) },
    statements = mapOf("update" to listOf("BEGIN", "SELECT", "UPDATE", "COMMIT")),
)

private fun cpuStyles(vararg paths: String) = paths.map { Style(it, "computing", Occupied.REQUEST_THREAD) }

internal val SUBJECTS = listOf(SERVLET, REACTIVE, DOWNSTREAM) + DATABASE_SUBJECTS

internal val EXPERIMENTS = File("../experiments")

internal fun builtIn(name: String): String? = File(EXPERIMENTS, "$name.yaml").takeIf { it.exists() }?.readText()

/** A CSV file beside the built-in experiments, by its name or its absolute path. */
internal fun builtInData(name: String): FoundData? =
    EXPERIMENTS.absoluteFile.resolve(name).takeIf { it.isFile }?.let { FoundData(it.path, it.readText()) }

/** [readPlan] in surroundings given one by one. */
internal fun readPlan(
    file: String,
    text: String,
    subjects: List<Subject>,
    include: (String) -> String?,
    overrides: Overrides,
    engines: List<EngineKind> = listOf(EngineKind.OWN),
    data: (String) -> FoundData? = { null },
    machine: Machine? = null,
    resolve: (String) -> String = { it },
): Read<Plan> = readPlan(file, text, Surroundings(subjects, engines, machine, include, data, resolve), overrides)

internal fun planned(text: String, overrides: Overrides = Overrides(), file: String = "mine.yaml"): Read<Plan> = readPlan(
    file,
    text.trimIndent(),
    SUBJECTS,
    ::builtIn,
    overrides,
    data = ::builtInData,
    resolve = { if (it.startsWith("/")) it else "/home/me/$it" },
)

internal fun sound(text: String, overrides: Overrides = Overrides(), file: String = "mine.yaml"): Plan =
    planOf(planned(text, overrides, file))

internal fun planOf(planned: Read<Plan>): Plan = soundly(planned).value

internal fun warnings(text: String, overrides: Overrides = Overrides()): List<String> = soundly(planned(text, overrides)).warnings

private fun soundly(planned: Read<Plan>): Read.Sound<Plan> = when (planned) {
    is Read.Sound -> planned
    is Read.Unsound -> fail("not sound:\n" + planned.problems.joinToString("\n"))
}

/** `line:column path: message (hint)` of every problem. */
internal fun problems(text: String, overrides: Overrides = Overrides(), file: String = "mine.yaml"): List<String> =
    when (val planned = planned(text, overrides, file)) {
        is Read.Sound -> emptyList()
        is Read.Unsound -> planned.problems.map(::line)
    }

internal fun line(problem: Problem): String {
    val place = problem.line?.let { "$it:${problem.column}" } ?: problem.file
    return "$place ${problem.path}: ${problem.message}" + problem.hint?.let { " ($it)" }.orEmpty()
}

/** The smallest sound experiment with two cells. */
internal val SMALL = """
    title: Small
    variants:
      a: { subject: servlet }
      b: { subject: reactive }
    workloads:
      noop: { get: /noop }
    profiles:
      saturate: { closed: 10 }
""".trimIndent()
