package bootdyno.launch.prepare

import bootdyno.launch.JavaRuntime
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.PreparationStep
import bootdyno.model.PreparedFound
import bootdyno.system.readOrNull
import bootdyno.system.sha256
import java.nio.file.Files
import java.nio.file.Path

/** A jar, extracted if it has nested libraries. Built files are in a folder named by [key]. */
internal open class JarPreparation(
    cell: Cell,
    protected val jar: Path,
    protected val contents: JarContents,
    private val java: JavaRuntime,
    protected val context: PreparationContext,
    final override val key: String = keyOf(cell, context.identity(jar), java),
) : Preparation.Work {
    private val variant = cell.variant
    protected val own: Path = context.folder.resolve(key)
    protected val steps = mutableListOf<PreparationStep>()
    protected var extraction: Extraction? = null
        private set
    private var startedAt: String? = null

    protected open val program: Program get() = jarProgram(emptyList())

    protected open val made: Map<Artifact, Path> get() = extraction?.let { mapOf(Artifact.EXTRACTED to it.folder) }.orEmpty()

    override fun make(log: Path) {
        startedAt = momentNow()
        Files.createDirectories(own)
        if (contents.nested) extraction = context.laidOut(jar, contents, variant, java, own, log).also { steps += it.steps }
    }

    final override fun prepared(): Prepared {
        val sizes = (mapOf(Artifact.JAR to jar) + made).mapValues { Bytes(sizeOf(it.value)) }
        return Prepared(program, PreparedFound(variant.runtime, steps.toList(), sizes, startedAt))
    }

    /** The extracted jar, otherwise the jar itself. */
    protected fun jarProgram(flags: List<String>) = Program.Jar(
        extraction?.jar ?: jar,
        flags + listOfNotNull(SPRING_AOT_FLAG.takeIf { variant.runtime.springAot }),
    )
}

/** Hash of everything that affects the validity and the contents of an archive or a cache. */
private fun keyOf(cell: Cell, identity: String, java: JavaRuntime): String {
    val jdk = java.executable.toRealPath().parent?.parent?.resolve("release")?.let(::readOrNull).orEmpty()
    val variant = cell.variant
    val parts = listOf(identity, "${java.executable}", jdk, variant.runtime.word) + variant.jvm +
        variant.settings.map { "$it" } + variant.environment.map { "$it" } + "${cell.limits.cpus} ${cell.limits.memory}"
    return "${variant.runtime.word}-${shortHash(parts)}"
}

internal fun shortHash(parts: List<String>): String = sha256(parts.joinToString("\n").toByteArray()).take(SHORT_HASH)
