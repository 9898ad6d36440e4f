package bootdyno.engines.fetch

import bootdyno.engine.EngineFailed
import bootdyno.system.findOnPath
import bootdyno.system.madeOnce
import eu.maveniverse.maven.mima.context.Context
import eu.maveniverse.maven.mima.context.ContextOverrides
import eu.maveniverse.maven.mima.context.Runtimes
import org.eclipse.aether.RepositoryException
import org.eclipse.aether.artifact.DefaultArtifact
import org.eclipse.aether.collection.CollectRequest
import org.eclipse.aether.graph.Dependency
import org.eclipse.aether.resolution.ArtifactDescriptorRequest
import org.eclipse.aether.resolution.DependencyRequest
import org.eclipse.aether.transfer.AbstractTransferListener
import org.eclipse.aether.transfer.TransferEvent
import org.eclipse.aether.util.artifact.JavaScopes
import org.eclipse.aether.util.filter.DependencyFilterUtils
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import kotlin.io.path.name
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/** The folder for the jars of [fetchProgram]. */
const val FETCHED = "lib"

/**
 * A program that is published as Maven artifacts.
 *
 * [artifacts] and [boms] are `group:artifact:version`; the BOMs fix the versions of dependencies. [instead] is the end of the error message:
 * an alternative for the user.
 */
class MavenProgram(val name: String, val artifacts: List<String>, val boms: List<String> = emptyList(), val instead: String = "")

/**
 * The folder of [program] in [cache], `jmeter-5.6.3`. If it is missing, the program is downloaded and [layOut] moves its jars; [tell] gets
 * the progress.
 * @throws EngineFailed if the download fails
 */
fun fetchedOnce(
    program: MavenProgram,
    cache: Path,
    tell: (String) -> Unit,
    layOut: (jars: List<Path>, folder: Path) -> Unit = { _, _ -> },
): Path {
    val target = cache.toAbsolutePath().resolve(program.name.lowercase().replace(' ', '-'))
    return madeOnce(target) { folder ->
        tell("Fetching ${program.name}, once, into $target …")
        val jars = fetchProgram(program, folder, tell)
        layOut(jars, folder)
        tell("${program.name} is there: ${jars.size} jars.")
    }
}

/**
 * Downloads the jars of [program] and their runtime dependencies into the folder [FETCHED] of [folder], with an embedded Maven resolver. The
 * user's `settings.xml` applies: mirrors, proxies, the local repository. Offline, the local repository must have all files. Files with wrong
 * checksums are rejected.
 *
 * [tell] gets the progress, at most once per second. [userHome] replaces `~/.m2` in tests.
 * @return the jars
 * @throws EngineFailed if the download fails
 */
fun fetchProgram(program: MavenProgram, folder: Path, tell: (String) -> Unit, userHome: Path? = null): List<Path> {
    val settings = ContextOverrides.create()
        .withUserSettings(true)
        .withMavenUserHomeOverride(userHome)
        // Settings of an installed Maven, which may be those of the company.
        .withMavenSystemHomeOverride(findOnPath("mvn")?.toRealPath()?.parent?.parent)
        .checksumPolicy(ContextOverrides.ChecksumPolicy.FAIL)
        .transferListener(Progress { tell("${program.name}: $it files so far") })
        .build()
    val resolving = FutureTask { Runtimes.INSTANCE.runtime.create(settings).use { jarsOf(program, it) } }
    // Downloads cannot be interrupted: after Ctrl-C they end with this process.
    Thread.ofPlatform().daemon().name("fetch").start(resolving)
    return try {
        val lib = Files.createDirectories(folder.resolve(FETCHED))
        resolving.get().map { Files.copy(it, lib.resolve(it.name)) }
    } catch (failed: ExecutionException) {
        throw notFetched(program, failed.cause ?: failed)
    } catch (failed: IOException) {
        throw notFetched(program, failed)
    }
}

private fun jarsOf(program: MavenProgram, maven: Context): List<Path> {
    val session = maven.repositorySystemSession()
    val system = maven.repositorySystem()
    val repositories = maven.remoteRepositories()
    val managed = program.boms.flatMap { bom ->
        val pom = DefaultArtifact(bom.substringBeforeLast(':') + ":pom:" + bom.substringAfterLast(':'))
        system.readArtifactDescriptor(session, ArtifactDescriptorRequest(pom, repositories, null)).managedDependencies
    }
    val wanted = program.artifacts.map { Dependency(DefaultArtifact(it), JavaScopes.RUNTIME) }
    val request = DependencyRequest(
        CollectRequest(wanted, managed, repositories),
        DependencyFilterUtils.classpathFilter(JavaScopes.RUNTIME),
    )
    return system.resolveDependencies(session, request).artifactResults.map { it.artifact }
        .filter { it.extension == "jar" }.map { it.file.toPath() }
}

/** Counts downloaded files; thread-safe. */
private class Progress(private val tell: (Int) -> Unit) : AbstractTransferListener() {
    private var files = 0
    private var told = TimeSource.Monotonic.markNow()

    @Synchronized
    override fun transferSucceeded(event: TransferEvent) {
        files++
        if (told.elapsedNow() < 1.seconds) return
        told = TimeSource.Monotonic.markNow()
        tell(files)
    }
}

/** Lists the innermost causes of Maven's exceptions, each once; the outer ones repeat them. */
private fun notFetched(program: MavenProgram, failure: Throwable): EngineFailed {
    val causes = generateSequence(failure) { it.cause }
    val why = causes.lastOrNull { it is RepositoryException || it is IOException } ?: failure
    return EngineFailed(
        "${program.name} could not be fetched from a Maven repository: ${why.message?.trimEnd('.') ?: why}. " +
            "Check the network, the disk, and mirrors and proxies in ~/.m2/settings.xml${program.instead}.",
    )
}
