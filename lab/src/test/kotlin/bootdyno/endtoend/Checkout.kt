package bootdyno.endtoend

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.writeText

/** A checkout in [folder] that is built: its own launcher, and links to what this build has packaged. Returns the launcher. */
internal fun builtCheckout(folder: Path): Path {
    val here = Path.of("..").toRealPath()
    val checkout = folder.resolve("checkout").createDirectories()
    listOf("dyno", "build-parts", "find-jdk.sh", "leave-measuring.sh", "one-build.sh", "launch.sh").forEach {
        here.resolve(it).copyTo(checkout.resolve(it))
    }
    listOf("experiments", "subjects").forEach { Files.createSymbolicLink(checkout.resolve(it), here.resolve(it)) }
    Files.createSymbolicLink(checkout.resolve("lab").createDirectories().resolve("target"), here.resolve("lab/target"))
    // Newer than all sources: the launcher has nothing to build.
    val parts = checkout.resolve(".dyno/parts").createDirectories()
    val subjects = here.resolve("subjects").listDirectoryEntries().map { "subjects.${it.name}" }
    (subjects + "lab").forEach { parts.resolve(it).writeText("aot\n") }
    return checkout.resolve("dyno")
}
