package bootdyno.model

import kotlinx.serialization.Serializable

/**
 * The form in which an executable jar runs. Other forms than [JAR] are built before the first trial. [trained]: the output of its training
 * run; null without one.
 */
@Serializable(with = RuntimeFormByWord::class)
enum class RuntimeForm(override val word: String, val trained: Artifact? = null) : Worded {
    /** `java -jar app.jar`. */
    JAR("jar"),

    /** Libraries as files beside the classes, extracted by the jar's own tools (`-Djarmode=tools extract`). */
    EXTRACTED("extracted"),

    /** Extracted, with an archive of the classes that a training run loaded: application class data sharing. */
    APP_CDS("app-cds", Artifact.ARCHIVE),

    /** Extracted, with an ahead-of-time cache of a training run: linked classes, method profiles (JEP 483, 514, 515). */
    AOT_CACHE("aot-cache", Artifact.CACHE),

    /**
     * The jar with beans chosen at build time (`-Dspring.aot.enabled=true`). If the variant has settings, Spring's processor runs again on the
     * extracted jar.
     */
    SPRING_AOT("spring-aot"),

    /** [SPRING_AOT] and [AOT_CACHE] together, extracted. */
    SPRING_AOT_AND_CACHE("spring-aot+aot-cache", Artifact.CACHE),

    /** An executable without a JVM, built by GraalVM's native-image. */
    NATIVE("native"),
    ;

    /** Whether beans are chosen at build time; always true for a native executable. */
    val springAot: Boolean get() = this == SPRING_AOT || this == SPRING_AOT_AND_CACHE || this == NATIVE

    /** Whether it runs in containers, where the jar is always extracted. */
    val inImages: Boolean get() = this == JAR || this == EXTRACTED || this == SPRING_AOT
}

internal object RuntimeFormByWord : ByWord<RuntimeForm>(RuntimeForm.entries)

/** A file or folder of a form, with a size. */
@Serializable(with = ArtifactByWord::class)
enum class Artifact : Worded {
    JAR,

    /** The folder of the extracted jar. */
    EXTRACTED,

    /** For class data sharing. */
    ARCHIVE,

    /** The JDK's ahead-of-time cache. */
    CACHE,
    EXECUTABLE,

    /** All layers of an image, including its base. */
    IMAGE,
}

internal object ArtifactByWord : ByWord<Artifact>(Artifact.entries)

/** The built form of a jar and its cost. All trials that share a preparation have equal values. */
@Serializable
data class PreparedFound(
    val form: RuntimeForm,
    /** In order; empty if nothing was built. */
    val steps: List<PreparationStep> = emptyList(),
    val sizes: Map<Artifact, Bytes> = emptyMap(),
    /** Start time, ISO 8601 with offset; a resumed run prepares again. Null if nothing was built. */
    val startedAt: String? = null,
    /** Null for processes. */
    val image: ImageFound? = null,
) {
    /** Duration of all steps; null if nothing was built. */
    val seconds: Double? get() = steps.ifEmpty { null }?.sumOf { it.seconds }

    /**
     * Size of everything needed to run it except the JDK: the executable, or the jar (plain or extracted) with its archive or cache. For an
     * image its whole size, including its JDK.
     */
    val shipped: Bytes?
        get() {
            sizes[Artifact.IMAGE]?.let { return it }
            val program = sizes[Artifact.EXECUTABLE] ?: sizes[Artifact.EXTRACTED] ?: sizes[Artifact.JAR] ?: return null
            return Bytes(program.count + listOf(Artifact.ARCHIVE, Artifact.CACHE).sumOf { sizes[it]?.count ?: 0 })
        }
}

/** An image as built. [user]: `uid:gid`; [layers]: number of non-empty layers above the base; [dockerfile]: its name in the run folder. */
@Serializable
data class ImageFound(
    val name: String,
    /** The hash of its contents, as reported by the engine. */
    val id: String,
    val base: String,
    val user: String,
    val layers: List<String>,
    val dockerfile: String,
)

/** A step (`extract`, `process-aot`, `javac`, `train`, `native-image` or `docker build`) with its measured seconds; secrets in the command are redacted. */
@Serializable
data class PreparationStep(val name: String, val seconds: Double, val commandLine: List<String>)
