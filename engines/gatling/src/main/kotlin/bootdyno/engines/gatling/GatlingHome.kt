package bootdyno.engines.gatling

import bootdyno.engines.fetch.FETCHED
import bootdyno.engines.fetch.MavenProgram
import bootdyno.engines.fetch.fetchProgram
import bootdyno.system.madeOnce
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries

/** The only Gatling that is run: the format of its log is its own affair and changes with the version. */
internal const val GATLING_VERSION = "3.15.1"

/** What running needs. Gatling's own pages with charts are not drawn, so the library for those is left out. */
private val GATLING = MavenProgram(
    "Gatling $GATLING_VERSION",
    listOf("gatling-app", "gatling-http-java").map { "io.gatling:$it:$GATLING_VERSION" },
)

/** The one folder of the cache that holds Gatling's jars, and what is made from them. */
internal class GatlingHome private constructor(private val folder: Path) {
    val jars: List<Path> get() = folder.resolve(FETCHED).listDirectoryEntries("*.jar").sorted()

    /** A folder beside the jars that [make] fills, once for each [key]. */
    fun made(key: String, make: (Path) -> Unit): Path = madeOnce(folder.resolve(key), make)

    companion object {
        /**
         * Gatling in [cache]; fetched into it if it is not there yet, of which [tell] tells the progress.
         * @throws bootdyno.engine.EngineFailed when it cannot be fetched.
         */
        fun inside(cache: Path, tell: (String) -> Unit): GatlingHome {
            val folder = cache.toAbsolutePath().resolve("gatling-$GATLING_VERSION")
            return GatlingHome(
                madeOnce(folder) { fresh ->
                    tell("Fetching Gatling $GATLING_VERSION, once, into $folder …")
                    val jars = fetchProgram(GATLING, fresh, tell)
                    tell("Gatling $GATLING_VERSION is there: ${jars.size} jars.")
                },
            )
        }
    }
}
