package bootdyno.system

import java.nio.file.Path

/** Runs [main] on our own JDK and class path, in a JVM of its own. */
fun javaCommand(flags: List<String>, main: String, arguments: List<String> = emptyList()): List<String> = buildList {
    add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
    addAll(flags)
    add("--enable-native-access=ALL-UNNAMED")
    add("-cp")
    add(System.getProperty("java.class.path"))
    add(main)
    addAll(arguments)
}
