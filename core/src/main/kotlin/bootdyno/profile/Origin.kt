package bootdyno.profile

import bootdyno.model.Frame

/** Whose code a method is, by its package. */
enum class Origin { APPLICATION, LIBRARY, JDK }

fun originOf(method: Frame): Origin = when {
    JDK.any { method.type.startsWith(it) } -> Origin.JDK
    LIBRARIES.any { method.type.startsWith(it) } -> Origin.LIBRARY
    else -> Origin.APPLICATION
}

private val JDK = listOf("java.", "javax.", "jdk.", "sun.", "com.sun.")
private val LIBRARIES =
    listOf("org.", "io.netty.", "reactor.", "kotlin.", "kotlinx.", "com.zaxxer.", "ch.qos.", "jakarta.", "tools.")
