package bootdyno.engine

import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import java.nio.file.Files
import java.nio.file.Path

/** Our engine in its process, warmed up once for all tests of a class. */
internal interface WarmForkedEngine {
    val log: Path
    val engine: LoadEngine

    @BeforeAll
    fun warm() = engine.warmItself()

    @AfterAll
    fun end() {
        engine.close()
        Files.delete(log)
    }
}
