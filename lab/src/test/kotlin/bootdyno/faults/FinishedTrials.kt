package bootdyno.faults

import bootdyno.system.sha256
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.isRegularFile

/** Every byte of the trials that had ended at some moment: whatever happens later, they stay as they were. */
internal class FinishedTrials private constructor(private val hashes: Map<Path, String>) {
    val count: Int get() = hashes.keys.map { it.parent }.distinct().size

    fun assertIntact() = hashes.forEach { (file, hash) ->
        if (!Files.exists(file)) throw AssertionError("a finished trial lost $file")
        if (hash(file) != hash) throw AssertionError("a finished trial was changed: $file")
    }

    companion object {
        fun of(world: World): FinishedTrials = of(world.finished())

        fun of(folders: List<Path>): FinishedTrials = FinishedTrials(
            folders.flatMap { folder -> Files.walk(folder).use { all -> all.filter { it.isRegularFile() }.toList() } }
                .associateWith(::hash),
        )

        private fun hash(file: Path): String = sha256(Files.newInputStream(file))
    }
}
