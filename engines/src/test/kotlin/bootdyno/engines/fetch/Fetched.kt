package bootdyno.engines.fetch

import org.junit.jupiter.api.Assumptions.assumeTrue
import java.nio.file.Path

/** The program [name], which [find] finds or fetches once for all tests. Tests are skipped where it cannot be had, and say why. */
internal class Fetched<T>(private val name: String, find: (Path) -> T) {
    val cache: Path = Path.of("target/engines").toAbsolutePath()
    private val found by lazy { runCatching { find(cache) } }
    val home: T get() = found.getOrThrow()

    fun assumed() = assumeTrue(found.isSuccess) { "no $name here: ${found.exceptionOrNull()?.message}" }
}
