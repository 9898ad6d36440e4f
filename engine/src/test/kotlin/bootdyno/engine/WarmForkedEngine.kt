package bootdyno.engine

import java.nio.file.Files

/** Our engine in its process, warmed up once for all tests of this JVM, with which it ends: its warm-up takes all CPUs for some 15 s. */
internal object WarmForkedEngine {
    private val log = Files.createTempFile("engine", ".log").apply { toFile().deleteOnExit() }

    val engine: LoadEngine by lazy {
        goFirst()
        ForkedEngine.start(emptyList(), log).also { it.warmItself() }
    }
}
