package bootdyno.launch.docker

import bootdyno.system.ownUser

/** Where the application lies in an image, and its jar. */
private const val APPLICATION = "/app"
internal const val APPLICATION_JAR = "$APPLICATION/app.jar"

/** Who runs it where we are root ourselves; nobody has to be entered by that number. */
private const val NOBODY_ELSE = "10001:10001"

/** A Dockerfile, whole: [layers] are folders of the build's context, what changes least first; [user] is `uid:gid`. */
internal fun dockerfile(base: String, layers: List<String>, user: String): String = buildString {
    appendLine("# Made by Boot Dyno. The layers are those of: java -Djarmode=tools -jar app.jar extract --layers")
    appendLine("FROM $base")
    appendLine("WORKDIR $APPLICATION")
    layers.forEach { appendLine("COPY --chown=$user $it/ ./") }
    appendLine("USER $user")
    appendLine("""ENTRYPOINT []""")
    appendLine("""CMD ["java", "-jar", "$APPLICATION_JAR"]""")
}

/** Whose process it is there: our own user, who may then look at it from outside, but never root. */
internal fun userOfContainers(): String = ownUser()?.takeUnless { it.startsWith("0:") } ?: NOBODY_ELSE
