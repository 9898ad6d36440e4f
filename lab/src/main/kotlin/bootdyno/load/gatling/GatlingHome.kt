package bootdyno.load.gatling

import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

/** The only Gatling that is run: the format of its log is its own affair and changes with the version. */
internal const val GATLING_VERSION = "3.15.1"

/** The one folder of the cache that holds Gatling's jars, and what is made from them. */
internal class GatlingHome private constructor(private val folder: Path) {
    val jars: List<Path> get() = folder.resolve("lib").listDirectoryEntries("*.jar").sorted()

    /** A folder beside the jars that [make] fills, once for each [key]. */
    fun made(key: String, make: (Path) -> Unit): Path = madeOnce(folder.resolve(key), make)

    companion object {
        /**
         * Gatling in [cache]; fetched into it if it is not there yet, of which [tell] tells the progress.
         * @throws bootdyno.load.EngineFailed when it cannot be fetched.
         */
        fun inside(cache: Path, tell: (String) -> Unit): GatlingHome {
            val folder = cache.toAbsolutePath().resolve("gatling-$GATLING_VERSION")
            return GatlingHome(
                madeOnce(folder) { fresh ->
                    tell("fetching Gatling $GATLING_VERSION with Maven into $cache, once")
                    val jars = fetchGatling(fresh, tell)
                    tell("Gatling $GATLING_VERSION is there: $jars jars")
                },
            )
        }
    }
}

/** [target], made by [make] if it does not exist: in a folder beside it that takes its name when it is complete. */
private fun madeOnce(target: Path, make: (Path) -> Unit): Path {
    if (Files.isDirectory(target)) return target
    Files.createDirectories(target.parent)
    val fresh = Files.createTempDirectory(target.parent, ".${target.name}-")
    try {
        make(fresh)
        takeName(fresh, target)
    } finally {
        fresh.toFile().deleteRecursively()
    }
    return target
}

private fun takeName(fresh: Path, target: Path) {
    try {
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE)
    } catch (failure: java.nio.file.FileSystemException) {
        // Another process was faster, and its work is as good.
        if (!Files.isDirectory(target)) throw failure
    }
}
