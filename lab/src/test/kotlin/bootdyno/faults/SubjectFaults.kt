package bootdyno.faults

import bootdyno.faults.Expected.Ended
import bootdyno.faults.Expected.Failed
import bootdyno.faults.Expected.Measured

private const val KIND = "Subjects that misbehave"

/** Subjects that misbehave, each as a cell of one of few runs. */
internal fun cellFaults(): List<Faults> = listOf(starts(), firstAnswers(), underLoad(), processesOfSubjects())

private fun starts() = cellsOfOneRun(
    KIND,
    listOf(
        CellFault("exits-at-once", "exits at once", Failed("ready", "exit code 3")),
        CellFault("prints-control-characters-and-exits", "prints control characters and exits", Failed("ready", "exit code 4")),
        CellFault("ready-404", "answers its ready path with 404", Failed("ready", "404")),
        CellFault("ready-401", "answers its ready path with 401", Failed("ready", "401")),
        CellFault("ready-500", "answers its ready path with 500", Failed("ready", "500")),
        CellFault("ready-login", "redirects its ready path to a login page", Failed("ready", "login")),
        CellFault("slow-start", "takes 3 s to start", Measured),
        CellFault("floods-its-log", "floods its log", Measured),
    ),
)

private fun firstAnswers() = cellsOfOneRun(
    KIND,
    listOf(
        CellFault("wrong-answer", "answers wrongly", Failed("verify", "body|answer")),
        CellFault("status-500", "answers with status 500", Failed("verify", "500")),
        CellFault("not-http", "answers with what is no HTTP", Failed("verify", "HTTP")),
        CellFault("closes-without-answer", "closes the connection instead of answering", Failed("verify", "closed")),
        CellFault("endless-body", "answers without end", Failed("verify", "MB|MiB|long|large|end|within")),
        CellFault("endless-headers", "sends headers without end", Failed("verify", "head|MB|MiB|KiB|long|large|end|within")),
        CellFault("byte-by-byte", "answers one byte every 0.4 s", Failed("verify", "within|complete|time")),
        CellFault("server-sent-events", "answers with server-sent events", Failed("verify", "within|complete|time|end")),
        CellFault(
            "truncated",
            "closes the connection in the middle of its answer",
            Failed("verify", "2 of (the )?100|closed|truncated|short|cut"),
        ),
        CellFault("100-mb", "answers with 100 MB", Failed("verify", "MB|MiB|long|large|body")),
        CellFault("100-continue", "says 100 Continue before each answer", Measured),
    ),
)

private fun underLoad() = cellsOfOneRun(
    KIND,
    listOf(
        CellFault("endless-body-under-load", "answers without end under load", Ended),
        CellFault("100-mb-under-load", "answers with 100 MB under load", Ended),
        CellFault("byte-by-byte-under-load", "answers byte by byte under load", Ended),
        CellFault("silent-under-load", "does not answer under load", Ended),
        CellFault("resets-under-load", "resets its connections", Ended),
        CellFault("no-http-under-load", "answers with what is no HTTP under load", Ended),
        CellFault("closes-its-listener", "closes its listener in the window", Ended),
        CellFault("exits-under-load", "exits in the window", Failed("window", "exit code 7")),
        CellFault("killed-under-load", "is killed in the window", Failed("window", "kill")),
        CellFault("stopped-under-load", "is stopped (SIGSTOP) in the window", Ended),
        CellFault("ended-under-load", "gets SIGTERM in the window", Failed("window", "143|SIGTERM|ended")),
        CellFault("out-of-memory", "takes more memory than its limit", Failed("window", "memory|kill|exit")),
    ),
)

private fun processesOfSubjects() = cellsOfOneRun(
    KIND,
    listOf(
        CellFault("child-ignores-term", "has a child that ignores SIGTERM", Measured),
        CellFault("detached-child", "has a detached child (setsid, double fork)", Measured),
        CellFault("twenty-children", "has twenty children", Measured),
        CellFault("ignores-term", "ignores SIGTERM itself", Measured),
        CellFault("good.engine-killed", "the load engine is killed in the window", Failed("window", "engine")) { _, dyno ->
            engineOf(dyno, "KILL")
        },
        CellFault("good.engine-stopped", "the load engine is stopped (SIGSTOP) in the window", Failed("window", "engine")) {
                _,
                dyno,
            ->
            engineOf(dyno, "STOP")
        },
    ),
)

/** Sends [signal] to the load engine of [dyno]. */
internal fun engineOf(dyno: DynoProcess, signal: String) {
    val engine = runningProcesses().filter { it.session == dyno.pid && "bootdyno.engine.netty.EngineMainKt" in it.words }
    if (engine.isEmpty()) throw AssertionError("no engine runs")
    engine.forEach { ProcessBuilder("kill", "-$signal", "${it.pid}").start().waitFor() }
}
