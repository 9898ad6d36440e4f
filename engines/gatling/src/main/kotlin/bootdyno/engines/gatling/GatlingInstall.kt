package bootdyno.engines.gatling

import bootdyno.engine.EngineFailed
import bootdyno.engine.LoadOrder
import bootdyno.system.tryDeleteTree
import java.io.InputStream
import java.nio.file.Files
import java.nio.file.Path
import java.security.MessageDigest
import java.util.HexFormat

/** Everything a run of Gatling needs, compiled and in its place: its jars, our own classes, and the user's simulation if there is one. */
internal class GatlingInstall private constructor(
    private val home: GatlingHome,
    private val own: Path,
    private val options: GatlingOptions,
    private val user: UserSimulation?,
    private val made: Path?,
) : AutoCloseable {
    /** What the user's relative paths mean; null where there is no simulation of the user's. */
    val folder: Path? get() = user?.folder

    /** Runs the simulation, [order] being played by ours; what it writes goes to [results]. */
    fun command(order: LoadOrder, results: Path): List<String> = buildList {
        add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        add("-Xmx${options.heap}")
        addAll(JVM)
        addAll(CONFIGURATION)
        addAll(if (user == null) ours(order, results) else theirs(order))
        val ours = if (user == null) SimulationOrder.classPath else emptyList()
        addAll(listOf("-classpath", (listOf(own) + user?.classPath.orEmpty() + home.jars + ours).joined()))
        add("dyno.Guarded")
        addAll(
            listOf(
                "--simulation",
                user?.className ?: "dyno.DynoSimulation",
                "--results-folder",
                results.toString(),
                "--no-reports",
            ),
        )
    }

    fun environment(order: LoadOrder): Map<String, String> = if (user == null) {
        emptyMap()
    } else {
        mapOf("BASE_URL" to order.base, "DYNO_HOST" to order.host, "DYNO_PORT" to order.port.toString())
    }

    override fun close() {
        made?.let(::tryDeleteTree)
    }

    private fun ours(order: LoadOrder, results: Path): List<String> {
        val file = results.resolve("order.json")
        SimulationOrder.write(order, options, file)
        val timeout = order.timeout.inWholeMilliseconds
        return listOf(
            "-Ddyno.order=$file",
            "-Dgatling.http.requestTimeout=$timeout",
            "-Dgatling.socket.connectTimeout=$timeout",
        )
    }

    private fun theirs(order: LoadOrder) =
        listOf("-DbaseUrl=${order.base}", "-Ddyno.host=${order.host}", "-Ddyno.port=${order.port}")

    companion object {
        /** @throws EngineFailed when a simulation does not compile. */
        fun open(home: GatlingHome, options: GatlingOptions, temporary: Path): GatlingInstall {
            val own = ownClasses(home)
            val script = options.script ?: return GatlingInstall(home, own, options, user = null, made = null)
            val made = Files.createTempDirectory(temporary, "gatling-simulation-")
            try {
                return GatlingInstall(home, own, options, userSimulation(script, home.jars, made), made)
            } catch (failure: Throwable) {
                tryDeleteTree(made)
                throw failure
            }
        }

        /** Gatling's own way of writing the log opens strings, and its network library wants native access. */
        private val JVM = listOf(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
        )

        /** Totals each second, and nothing sent to anybody else. */
        private val CONFIGURATION = listOf(
            "-Dgatling.data.console.writePeriod=1",
            "-Dgatling.data.enableAnalytics=false",
        )
    }
}

/** Our own simulation and what it is made of, compiled when they are new. */
private fun ownClasses(home: GatlingHome): Path {
    val sources = OWN_SOURCES.associateWith { resource(it).readAllBytes() }
    val digest = MessageDigest.getInstance("SHA-256")
    val script = resource("${SimulationOrder::class.java.simpleName}.class").readAllBytes()
    (sources.values + script + System.getProperty("java.version").toByteArray()).forEach(digest::update)
    return home.made("classes-${HexFormat.of().formatHex(digest.digest(), 0, 6)}") { folder ->
        val written = sources.filterKeys {
            it.endsWith(".java")
        }.map { (name, bytes) -> Files.write(folder.resolve(name), bytes) }
        compileJava(written, home.jars + SimulationOrder.classPath, folder)
        Files.write(folder.resolve(LOGBACK), sources.getValue(LOGBACK))
    }
}

private fun resource(name: String): InputStream =
    checkNotNull(GatlingInstall::class.java.getResourceAsStream(name)) { "$name is not among the resources" }

private const val LOGBACK = "logback.xml"
private val OWN_SOURCES = listOf("Guarded.java", "DynoSimulation.java", "Visit.java", LOGBACK)
