package bootdyno.endtoend

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectories
import kotlin.io.path.createFile

/** A checkout in [folder] that is built: its own launcher, and links to what this build has packaged. Returns the launcher. */
internal fun builtCheckout(folder: Path): Path {
    val here = Path.of("..").toRealPath()
    val checkout = folder.resolve("checkout").createDirectories()
    listOf("dyno", "find-jdk.sh", "leave-measuring.sh", "launch.sh").forEach { here.resolve(it).copyTo(checkout.resolve(it)) }
    listOf("experiments", "subjects").forEach { Files.createSymbolicLink(checkout.resolve(it), here.resolve(it)) }
    Files.createSymbolicLink(checkout.resolve("lab").createDirectories().resolve("target"), here.resolve("lab/target"))
    // Newer than all sources: the launcher has nothing to build.
    checkout.resolve(".dyno").createDirectories().resolve("built").createFile()
    return checkout.resolve("dyno")
}
