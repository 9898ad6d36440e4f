package bootdyno.model

import kotlinx.serialization.Serializable

/** What an executable jar is run as. What it takes beyond the jar itself is made before its first trial. */
@Serializable(with = RuntimeFormByWord::class)
enum class RuntimeForm(override val word: String) : Worded {
    /** As it is: `java -jar app.jar`. */
    JAR("jar"),

    /** Its libraries as files beside its classes, laid out by its own tools (`-Djarmode=tools extract`). */
    EXTRACTED("extracted"),

    /** Extracted, with an archive of the classes that a short real run loaded: application class data sharing. */
    APP_CDS("app-cds"),

    /** Extracted, with an ahead-of-time cache trained by a short real run: classes linked, methods profiled (JEP 483, 514, 515). */
    AOT_CACHE("aot-cache"),

    /**
     * The jar, with the beans it decided on while it was built (`-Dspring.aot.enabled=true`), or, extracted, by the variant's settings where it
     * has some.
     */
    SPRING_AOT("spring-aot"),

    /** Both of the former together, extracted. */
    SPRING_AOT_AND_CACHE("spring-aot+aot-cache"),

    /** An executable of its own, without a JVM, built by GraalVM's native-image. */
    NATIVE("native"),
    ;

    /** Whether beans were decided on while the jar was built. A native executable is always so. */
    val springAot: Boolean get() = this == SPRING_AOT || this == SPRING_AOT_AND_CACHE || this == NATIVE

    /** Whether an image can be made of it; in one the jar is extracted always. */
    val inImages: Boolean get() = this == JAR || this == EXTRACTED || this == SPRING_AOT

    /** What a short real run leaves for it; null where it needs none. */
    val trained: Artifact?
        get() = when (this) {
            JAR, EXTRACTED, SPRING_AOT, NATIVE -> null
            APP_CDS -> Artifact.ARCHIVE
            AOT_CACHE, SPRING_AOT_AND_CACHE -> Artifact.CACHE
        }
}

internal object RuntimeFormByWord : ByWord<RuntimeForm>(RuntimeForm.entries)

/** What lies on the disk, and has a size. */
@Serializable(with = ArtifactByWord::class)
enum class Artifact : Worded {
    JAR,

    /** The folder of the extracted jar, all its files together. */
    EXTRACTED,

    /** Of class data sharing. */
    ARCHIVE,

    /** The JDK's ahead-of-time cache. */
    CACHE,
    EXECUTABLE,

    /** All layers of a container's image together, those of its base included. */
    IMAGE,
}

internal object ArtifactByWord : ByWord<Artifact>(Artifact.entries)

/** What a jar was run as, and what making that took. Every trial of it that one preparation served says the same. */
@Serializable
data class PreparedFound(
    val form: RuntimeForm,
    /** In order; empty where there was nothing to make. */
    val steps: List<PreparationStep> = emptyList(),
    val sizes: Map<Artifact, Bytes> = emptyMap(),
    /** Wall clock when it began, ISO 8601 with offset: a resumed run prepares again. Null where there was nothing to make. */
    val startedAt: String? = null,
    /** Null where subjects run as processes. */
    val image: ImageFound? = null,
) {
    /** All steps together; null where there was nothing to make. */
    val seconds: Double? get() = steps.ifEmpty { null }?.sumOf { it.seconds }

    /**
     * What has to be there to run it, the JDK apart: the executable, or the jar as it is or extracted, with its archive or cache. Of an
     * image all of it, and that has a JDK in it.
     */
    val shipped: Bytes?
        get() {
            sizes[Artifact.IMAGE]?.let { return it }
            val program = sizes[Artifact.EXECUTABLE] ?: sizes[Artifact.EXTRACTED] ?: sizes[Artifact.JAR] ?: return null
            return Bytes(program.count + listOf(Artifact.ARCHIVE, Artifact.CACHE).sumOf { sizes[it]?.count ?: 0 })
        }
}

/** An image as it was built: [user] is `uid:gid`, [layers] those above the base that hold something, [dockerfile] its name in the run folder. */
@Serializable
data class ImageFound(
    val name: String,
    /** As the engine says: the hash of its contents. */
    val id: String,
    val base: String,
    val user: String,
    val layers: List<String>,
    val dockerfile: String,
)

/** One step, `extract`, `process-aot`, `javac`, `train`, `native-image` or `docker build`, in seconds as it took; the command's secrets are redacted. */
@Serializable
data class PreparationStep(val name: String, val seconds: Double, val commandLine: List<String>)
