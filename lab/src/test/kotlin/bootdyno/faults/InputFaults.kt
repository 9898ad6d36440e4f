package bootdyno.faults

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.writeBytes

private const val KIND = "Bad input"

internal fun inputFaults(): List<Faults> = listOf(
    badFile("an experiment with NUL in it") { it.toByteArray().also { bytes -> bytes[20] = 0 } },
    badFile("an experiment of random bytes") { ByteArray(5_000) { at -> (at * at * 31 + at).toByte() } },
    badFile("an experiment in UTF-16") { it.toByteArray(Charsets.UTF_16) },
    badFile("an experiment nested 100,000 deep") { ("title: " + "[".repeat(100_000)).toByteArray() },
    badFile("an experiment of 20 MB") { (it + "\n" + "# more\n".repeat(3_000_000)).toByteArray() },
    badFile("an experiment with a million keys") {
        (it + "\n" + (1..1_000_000).joinToString("\n") { at -> "key$at: 1" }).toByteArray()
    },
    badFile("an experiment of aliases of aliases") { laughs().toByteArray() },
    badFile("an empty experiment") { ByteArray(0) },
    badFile("an experiment that is cut in the middle") { it.take(it.length / 2).toByteArray() },
    badFile("an unknown key") { "$it\nsurprise: 1".toByteArray() },
    badFile("a path with a fragment") { it.replace("get: /work", "get: \"/work#part\"").toByteArray() },
    badFile("a path with a broken escape") { it.replace("get: /work", "get: \"/work%zz\"").toByteArray() },
    badFile("a header with a line break") { it.replace("holds: 20 ms", "headers: { X: \"a\\r\\nY: b\" }").toByteArray() },
    badFile("no cell") { "$it\nonly: [ nothing/* ]".toByteArray() },
    impossible("a billion rounds", "rounds=1000000000"),
    impossible("a thousand CPUs", "limits.cpus=1000"),
    impossible("a memory limit of 1 byte", "limits.memory=1 B"),
    impossible("a window of 1 ns", "profiles.few.window=1 ns"),
    impossible("a billion connections", "profiles.few.closed=1000000000"),
    impossible("a billion requests a second", "profiles.few={ open: 1000000000/s }"),
    refused("a pattern of forty asterisks") { world ->
        arrayOf("--only", "*a".repeat(40) + "b", "${Moment.WINDOW.experiment(world)}")
    },
    refused("a jar that is not there") { world -> arrayOf("${world.root}/missing.jar") },
    refused("a jar that is no jar") { world -> arrayOf("${world.file("text.jar", "no jar")}") },
    refused("an experiment that is a folder") { world -> arrayOf("${world.home}") },
    refused("an option that does not exist") { world -> arrayOf("--surprise", "${Moment.WINDOW.experiment(world)}") },
    import("a HAR that is cut in the middle") { "{\"log\": {\"entries\": [ {\"request\": {" },
    import("an OpenAPI document nested 100,000 deep") { "{\"openapi\": \"3.1.0\", \"paths\": " + "{\"a\":".repeat(100_000) },
    import("a .http file of variables of variables") {
        (0..6).joinToString("\n") { "@v$it = " + "{{v${it + 1}}}".repeat(20) } +
            "\n@v7 = aaaaaaaaaaaaaaaaaaaa\nGET http://localhost/b?x={{v0}}"
    },
    import("a Postman collection of variables of variables") {
        val laughs = (0..6).joinToString { "{\"key\": \"v$it\", \"value\": \"${"{{v${it + 1}}}".repeat(20)}\"}" }
        "{\"info\": {}, \"variable\": [$laughs, {\"key\": \"v7\", \"value\": \"aaaaaaaaaaaaaaaaaaaa\"}], " +
            "\"item\": [{\"request\": {\"method\": \"GET\", \"url\": \"http://localhost/{{v0}}\"}}]}"
    },
    wrongRule(),
    refused("a subject on another host") { world ->
        val text = SmallExperiment(listOf("good")).text(world)
            .replaceFirst(Regex("(?m)^  good: .*$"), "  good: { subject: { url: \"http://192.0.2.1:8080\" } }")
        arrayOf("${world.file("far.yaml", text)}")
    },
)

private fun laughs() = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" +
    (1..12).joinToString("\n") { at -> "a$at: &a$at [${List(9) { "*a${at - 1}" }.joinToString(",")}]" }

private fun badFile(name: String, bytes: (String) -> ByteArray) = refused(name) { world ->
    val file = world.root.resolve("bad.yaml")
    file.writeBytes(bytes(SmallExperiment(listOf("good")).text(world)))
    arrayOf("$file")
}

private fun import(name: String, text: () -> String) = refused(name) { world ->
    arrayOf("--command", "cat {port}", "--import", "${world.file("import", text())}")
}

private fun wrongRule() = fault(KIND, "a wrong --fail-on of compare, before the builds") { world ->
    val built = world.root.resolve("built")
    val rule = "throughput slowly by 3 %"
    val builds = Shell(folder = repository(world))
    world.dyno("compare", "HEAD~1", "HEAD", "--build", "touch $built", "--fail-on", rule, shell = builds).exits(2).says(rule)
    if (Files.exists(built)) throw AssertionError("it was built before")
    "exit code 2, and nothing was built"
}

/** A git repository with two commits. */
internal fun repository(world: World): Path {
    val folder = Files.createDirectory(world.root.resolve("repository"))
    fun git(vararg words: String) = ProcessBuilder("git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words)
        .directory(folder.toFile()).redirectErrorStream(true).start().run {
            val said = inputReader().readText()
            check(waitFor() == 0) { said }
        }
    git("init", "--quiet")
    repeat(2) { git("commit", "--quiet", "--allow-empty", "--message", "$it") }
    return folder
}

private fun impossible(name: String, set: String) =
    refused(name) { world -> arrayOf("${SmallExperiment(listOf("good")).writtenIn(world)}", "--set", set) }

/** Exit code 2, a sentence, and nothing was made. */
private fun refused(name: String, words: (World) -> Array<String>) = fault(KIND, name) { world ->
    val given = words(world)
    val before = files(world.root)
    val dyno = world.dyno("run", *given, "--out", "${world.runs}")
    dyno.exits(2)
    if (world.runs.listDirectoryEntries().isNotEmpty()) {
        throw AssertionError("a run folder was made: ${world.runs.listDirectoryEntries()}")
    }
    val made = (files(world.root) - before).filterNot { "std" in "${it.fileName}" || "lock" in "${it.fileName}" }
    if (made.isNotEmpty()) throw AssertionError("it made $made")
    "exit code 2: ${dyno.said().lines().firstOrNull { it.isNotBlank() }.orEmpty()}"
}

private fun files(folder: Path): Set<Path> = Files.walk(folder).use { all ->
    all.filter { Files.isRegularFile(it) }.toList().toSet()
}
