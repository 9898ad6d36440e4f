package bootdyno.launch.prepare

import bootdyno.launch.JavaRuntime
import bootdyno.launch.LaunchFailed
import bootdyno.launch.Placement
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.SubjectLauncher
import bootdyno.launch.javaRuntime
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.Origin
import bootdyno.model.PreparedFound
import bootdyno.model.RuntimeForm
import bootdyno.model.Stage
import bootdyno.system.ledger.Ledger
import bootdyno.system.limits.Unconfined
import java.nio.file.Files
import java.nio.file.Path

internal const val SPRING_AOT_FLAG = "-Dspring.aot.enabled=true"

/**
 * Builds the runtime forms of jars in [folder], which gets large and is removed by the caller.
 *
 * Builds run outside of limits, on all CPUs of [placement]; only the JVM's own sizes (pools, collector, heap) are those of the limits.
 * [nativeImage] is called for the first executable, and throws [MissingHere] without native-image. Owned by one thread.
 */
class Preparations(folder: Path, placement: Placement, ledger: Ledger, nativeImage: () -> NativeImage) {
    /** Searched once, also if missing. */
    private val nativeImage by lazy { runCatching(nativeImage) }

    // Subjects and trainings are started in folders of their own.
    private val context = PreparationContext(folder.toAbsolutePath(), ledger, trainer(placement, ledger))

    /** The preparation of [cell]. Throws [LaunchFailed] or [MissingHere] for known problems. */
    fun of(cell: Cell): Preparation {
        val jar = (cell.subject.origin as? Origin.Jar)?.let { Path.of(it.path) }
        // A missing jar is reported by the launch.
        if (jar == null || !Files.isReadable(jar)) return Preparation.Nothing(Prepared(Program.AsDeclared, null))
        return when (val form = cell.variant.runtime) {
            RuntimeForm.JAR -> Preparation.Nothing(Prepared(Program.AsDeclared, asIs(form, jar)))

            RuntimeForm.SPRING_AOT -> if (cell.variant.decidesAnew) {
                fromJar(cell, jar)
            } else {
                contentsOf(jar).whyNotSpringAot(jar)?.let { throw LaunchFailed(Stage.PREPARE, it) }
                Preparation.Nothing(Prepared(Program.Jar(jar, listOf(SPRING_AOT_FLAG)), asIs(form, jar)))
            }

            RuntimeForm.NATIVE -> native(cell, jar)

            RuntimeForm.EXTRACTED, RuntimeForm.APP_CDS, RuntimeForm.AOT_CACHE, RuntimeForm.SPRING_AOT_AND_CACHE ->
                fromJar(cell, jar)
        }
    }

    private fun asIs(form: RuntimeForm, jar: Path) = PreparedFound(form, sizes = mapOf(Artifact.JAR to Bytes(sizeOf(jar))))

    private fun fromJar(cell: Cell, jar: Path): JarPreparation {
        val form = cell.variant.runtime
        val contents = contentsOf(jar)
        val java = javaRuntime(cell.variant.java)
        // Without nested libraries, the jar itself can have an archive.
        val whyNot = contents.whyNotExtracted(jar)
            .takeIf { contents.nested || form == RuntimeForm.EXTRACTED || cell.variant.decidesAnew }
            ?: contents.whyNotSpringAot(jar).takeIf { form.springAot }
            ?: whyNotTrained(form, java)
        whyNot?.let { throw LaunchFailed(Stage.PREPARE, it) }
        return form.trained?.let { TrainedJar(it, cell, jar, contents, java, context) }
            ?: JarPreparation(cell, jar, contents, java, context)
    }

    private fun native(cell: Cell, jar: Path): NativePreparation {
        val tool = nativeImage.getOrThrow()
        val contents = contentsOf(jar)
        (contents.whyNotSpringAot(jar) ?: contents.whyNotExtracted(jar))?.let { throw LaunchFailed(Stage.PREPARE, it) }
        return NativePreparation(cell, jar, contents, tool, context)
    }
}

private fun trainer(placement: Placement, ledger: Ledger): SubjectLauncher {
    val everyCpu = (placement.subject + placement.engine + placement.services).distinct().sorted()
    return SubjectLauncher(Unconfined(), placement.copy(subject = everyCpu), ledger)
}

/** Class archives at exit need JDK 13, ahead-of-time caches in one step JDK 25. */
private fun whyNotTrained(form: RuntimeForm, java: JavaRuntime): String? {
    val needed = when (form.trained) {
        Artifact.ARCHIVE -> FIRST_WITH_ARCHIVES
        Artifact.CACHE -> FIRST_WITH_CACHES
        else -> return null
    }
    val feature = java.feature?.takeIf { it < needed } ?: return null
    return "`runtime: ${form.word}` needs a JDK $needed or newer, and ${java.executable} is of JDK $feature: " +
        "give a newer one as `java`."
}

private const val FIRST_WITH_ARCHIVES = 13
private const val FIRST_WITH_CACHES = 25
