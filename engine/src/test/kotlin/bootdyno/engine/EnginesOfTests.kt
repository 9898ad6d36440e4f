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

/** Our engine in its process as it starts, for tests of this JVM in which no time counts. */
internal object ColdForkedEngine {
    private val log = Files.createTempFile("engine", ".log").apply { toFile().deleteOnExit() }

    val engine: ForkedEngine by lazy { ForkedEngine.start(emptyList(), log, optimised = false) }
}
