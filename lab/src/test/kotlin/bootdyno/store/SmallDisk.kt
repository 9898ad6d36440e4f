package bootdyno.store

import org.junit.jupiter.api.Assumptions.assumeTrue
import java.nio.file.Path
import kotlin.io.path.createDirectory

/** Runs [test] with a disk of [kibibytes], which is a folder in [scratch]. */
fun onSmallDisk(scratch: Path, kibibytes: Int, test: (Path) -> Unit) {
    val disk = scratch.resolve("disk").createDirectory()
    fun succeeds(vararg words: String) = ProcessBuilder(*words).redirectErrorStream(true).start().waitFor() == 0
    assumeTrue(succeeds("mount", "-t", "tmpfs", "-o", "size=${kibibytes}k", "tmpfs", "$disk"), "needs root, to mount a tmpfs")
    try {
        test(disk)
    } finally {
        succeeds("umount", "$disk")
    }
}
