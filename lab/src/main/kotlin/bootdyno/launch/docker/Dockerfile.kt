package bootdyno.launch.docker

import bootdyno.system.ownUser

/** Folder of the application in an image. */
private const val APPLICATION = "/app"
internal const val APPLICATION_JAR = "$APPLICATION/app.jar"

/** User and group of containers if we are root. The ids need no entry in the image. */
private const val UNPRIVILEGED_USER = "10001:10001"

/** The text of a Dockerfile. [layers]: folders of the build context, the least changing first; [user]: `uid:gid`. */
internal fun dockerfile(base: String, layers: List<String>, user: String): String = buildString {
    appendLine("# Made by Boot Dyno. The layers are those of: java -Djarmode=tools -jar app.jar extract --layers")
    appendLine("FROM $base")
    appendLine("WORKDIR $APPLICATION")
    layers.forEach { appendLine("COPY --chown=$user $it/ ./") }
    appendLine("USER $user")
    appendLine("""ENTRYPOINT []""")
    appendLine("""CMD ["java", "-jar", "$APPLICATION_JAR"]""")
}

/** Our own user, who can observe the process from outside, but never root. */
internal fun userOfContainers(): String = ownUser()?.takeUnless { it.startsWith("0:") } ?: UNPRIVILEGED_USER
