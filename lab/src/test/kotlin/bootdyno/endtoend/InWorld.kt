package bootdyno.endtoend

import bootdyno.faults.Leftovers
import bootdyno.faults.World
import bootdyno.faults.removeWorld
import org.junit.jupiter.api.AfterEach
import java.nio.file.Files
import java.nio.file.Path

/** Each test has a world of its own, a folder called [prefix] and some digits, and leaves nothing behind. */
internal abstract class InWorld(prefix: String) {
    protected val world = World(Files.createTempDirectory(Path.of("/tmp"), "$prefix-"))

    @AfterEach
    fun nothingIsLeft() {
        world.endAll()
        try {
            Leftovers(world).assertNone()
        } finally {
            removeWorld(world.root)
        }
    }
}
