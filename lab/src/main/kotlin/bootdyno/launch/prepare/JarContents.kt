package bootdyno.launch.prepare

import bootdyno.launch.LaunchFailed
import bootdyno.model.Stage
import java.io.IOException
import java.nio.file.Path

/** What a jar's entries tell about the forms it can be run in. */
internal data class JarContents(
    /** Libraries inside the jar, as Spring Boot nests them. */
    val nested: Boolean,
    /** It can lay itself out (`-Djarmode=tools`), as since Spring Boot 3.3. */
    val tools: Boolean,
    /** It holds the beans that Spring decided on at build time. */
    val springAot: Boolean,
    /** The class with `main`; of a nested jar the application's own. */
    val mainClass: String?,
    /** Arguments for native-image that its build wrote down. */
    val nativeArguments: Boolean,
)

/** Throws [LaunchFailed] where [jar] cannot be read. */
internal fun contentsOf(jar: Path): JarContents = try {
    readingJar(jar) { file ->
        val names = file.stream().map { it.name }.toList()
        val manifest = file.manifest?.mainAttributes
        JarContents(
            nested = names.any { it.startsWith("BOOT-INF/lib/") },
            tools = names.any { it.startsWith("BOOT-INF/lib/spring-boot-jarmode-tools-") },
            springAot = names.any { it.endsWith("__ApplicationContextInitializer.class") },
            mainClass = manifest?.getValue("Start-Class") ?: manifest?.getValue("Main-Class"),
            nativeArguments = NATIVE_ARGUMENTS in names,
        )
    }
} catch (unreadable: IOException) {
    throw LaunchFailed(Stage.PREPARE, "The jar $jar cannot be read: ${unreadable.message}.", cause = unreadable)
}

/** Why it cannot be laid out in files, in a sentence with what to do; null: it can. */
internal fun JarContents.whyNotExtracted(jar: Path): String? = when {
    !nested -> "$jar has no libraries nested in it, so there is nothing to extract: run it as `runtime: jar`."

    !tools ->
        "$jar cannot extract itself: it was built by Spring Boot before 3.3, or without its tools " +
            "(includeTools). Build it with a newer one."

    else -> null
}

/** Why its beans were not decided at build time; null: they were. */
internal fun JarContents.whyNotSpringAot(jar: Path): String? = if (springAot) {
    null
} else {
    "$jar was not processed ahead of time: add the goal process-aot of spring-boot-maven-plugin (or the Gradle plugin " +
        "org.springframework.boot.aot) to its build."
}

internal const val NATIVE_ARGUMENTS = "META-INF/native-image/argfile"
