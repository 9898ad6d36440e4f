package bootdyno.engines.gatling

import bootdyno.engine.EngineContext
import bootdyno.engine.EngineFailed
import bootdyno.engine.GeneratorProcess
import bootdyno.engine.LoadOrder
import bootdyno.engines.fetch.FETCHED
import bootdyno.engines.fetch.MavenProgram
import bootdyno.engines.fetch.fetchedOnce
import bootdyno.system.Sha256
import bootdyno.system.madeOnce
import bootdyno.system.onFailure
import bootdyno.system.tryDeleteTree
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries

/** The only supported version, because the log format is undocumented and changes with the version. */
internal const val GATLING_VERSION = "3.15.1"

/** Without the chart library, because Gatling's own HTML reports are not generated. */
private val GATLING = MavenProgram(
    "Gatling $GATLING_VERSION",
    listOf("gatling-app", "gatling-http-java").map { "io.gatling:$it:$GATLING_VERSION" },
)

/** The folder of the cache with Gatling's jars and compiled classes. */
internal class GatlingHome private constructor(private val folder: Path) {
    val jars: List<Path> get() = folder.resolve(FETCHED).listDirectoryEntries("*.jar").sorted()

    /** A folder beside the jars, filled by [make] once per [key]. */
    fun made(key: String, make: (Path) -> Unit): Path = madeOnce(folder.resolve(key), make)

    companion object {
        /**
         * Gatling in [cache], downloaded if missing; [tell] gets the progress.
         * @throws EngineFailed if the download fails
         */
        fun inside(cache: Path, tell: (String) -> Unit) = GatlingHome(fetchedOnce(GATLING, cache, tell))
    }
}

/** A Gatling installation ready to run: its jars, our classes, and the user's simulation, if any. */
internal class GatlingInstall private constructor(
    private val home: GatlingHome,
    private val classes: Path,
    private val options: GatlingOptions,
    val user: UserSimulation?,
    private val made: Path?,
) : AutoCloseable {
    /**
     * Starts the simulation; ours executes [order]. Results go to [results]. The working directory is that of the user's relative paths.
     */
    fun start(context: EngineContext, order: LoadOrder, results: Path, isLogged: (String) -> Boolean): GeneratorProcess {
        val flags = FLAGS + "-Xmx${options.heap}" + if (user == null) ours(order, results) else theirs(order, user, results)
        val classPath = listOf(classes) + user?.classPath.orEmpty() + home.jars +
            if (user == null) SimulationOrder.classPath else emptyList()
        val command = listOf(Path.of(System.getProperty("java.home"), "bin", "java").toString()) + flags +
            listOf("-classpath", classPath.joined(), "dyno.Guarded") +
            listOf("--simulation", user?.className ?: "dyno.DynoSimulation", "--results-folder", "$results", "--no-reports")
        val environment = if (user == null) emptyMap() else order.variables(user.basePath)
        return GeneratorProcess.start(context, command, user?.folder ?: results, environment, fed = true, isLogged)
    }

    override fun close() {
        made?.let(::tryDeleteTree)
    }

    private fun ours(order: LoadOrder, results: Path): List<String> {
        val file = results.resolve("order.json")
        SimulationOrder.write(order, options, file)
        val timeout = order.timeout.inWholeMilliseconds
        return listOf("-Ddyno.order=$file", "-Dgatling.http.requestTimeout=$timeout", "-Dgatling.socket.connectTimeout=$timeout")
    }

    private fun theirs(order: LoadOrder, user: UserSimulation, results: Path): List<String> {
        // All users of the machine can read a command line.
        val file = results.resolve("properties.args")
        Files.write(file, options.properties.map { (name, value) -> "\"-D$name=${value.replace(QUOTED, """\\$0""")}\"" })
        return listOf("baseUrl", "BASE_URL").map { "-D$it=${order.base}${user.basePath}" } +
            listOf("-Ddyno.base=${order.base}", "-Ddyno.host=${order.host}", "-Ddyno.port=${order.port}", "@$file")
    }

    companion object {
        /** @throws EngineFailed if a simulation does not compile */
        fun open(home: GatlingHome, options: GatlingOptions, temporary: Path): GatlingInstall {
            val classes = ownClasses(home)
            val script = options.script ?: return GatlingInstall(home, classes, options, user = null, made = null)
            val made = Files.createTempDirectory(temporary, "gatling-simulation-")
            return onFailure({ tryDeleteTree(made) }) {
                GatlingInstall(home, classes, options, userSimulation(script, home.jars, made), made)
            }
        }

        private val FLAGS = listOf(
            // Gatling's log writer needs access to String, its network library native access.
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            // Totals each second, and no usage statistics.
            "-Dgatling.data.console.writePeriod=1",
            "-Dgatling.data.enableAnalytics=false",
        )
    }
}

/** Our own simulation, compiled when its sources change. */
private fun ownClasses(home: GatlingHome): Path {
    val sources = listOf("Guarded.java", "DynoSimulation.java", "Visit.java")
    val all = (sources + LOGBACK + listOf("SimulationOrder.class", "PreparedStep.class")).associateWith(::resource)
    val digest = Sha256()
    (all.values + System.getProperty("java.version").toByteArray()).forEach { digest.write(it) }
    return home.made("classes-${digest.hex().take(12)}") { folder ->
        val written = sources.map { Files.write(folder.resolve(it), all.getValue(it)) }
        compileJava(written, home.jars + SimulationOrder.classPath, folder)
        Files.write(folder.resolve(LOGBACK), all.getValue(LOGBACK))
    }
}

private fun resource(name: String): ByteArray = checkNotNull(GatlingInstall::class.java.getResourceAsStream(name)) {
    "$name is not among the resources"
}.use { it.readAllBytes() }

private const val LOGBACK = "logback.xml"

/** Signs that have a backslash before them in the quotes of a file of arguments. */
private val QUOTED = Regex("""["\\]""")
