package bootdyno

import java.nio.file.Files
import java.nio.file.Path

/** The folder of this repository. */
internal val CHECKOUT: Path =
    generateSequence(Path.of("").toAbsolutePath()) { it.parent }.first { Files.exists(it.resolve("dyno")) }
