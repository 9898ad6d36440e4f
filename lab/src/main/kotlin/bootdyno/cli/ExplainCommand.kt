package bootdyno.cli

import bootdyno.dumps.readDumps
import bootdyno.explain.explain
import bootdyno.keys.rateOf
import bootdyno.measure.InputProblem
import bootdyno.model.DumpedApplication
import bootdyno.report.format.renderJson
import bootdyno.report.page
import bootdyno.store.redact
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.options.convert
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.double
import com.github.ajalt.clikt.parameters.types.path
import com.github.ajalt.clikt.parameters.types.restrictTo

/** Names what limits an application from its thread dumps and recordings alone. */
internal class ExplainCommand :
    DynoCommand("explain", "Name what limited an application, from its thread dumps and JFR recordings") {
    private val rate by option(metavar = "RATE", help = "Requests that it served, as 120/s: adds holding times and a prediction")
        .convert { text -> rateOf(text) ?: fail("$text is no rate. Write it as 120/s.") }
    private val cpus by option(metavar = "N", help = "CPUs that it may use; recordings say so, dumps do not").double()
        .restrictTo(min = 0.001, max = 100_000.0)
    private val format by option(metavar = "FORMAT", help = "What to print: text (default), md, html, json")
        .choice("text", "md", "html", "json").default("text")
    private val writeExperiment by option(metavar = "FILE", help = "Write an experiment that reproduces the limit with your jar")
        .path(canBeDir = false)
    private val files by argument(
        "FILE",
        help = "Files of jcmd Thread.print, jstack, Thread.dump_to_file, /actuator/threaddump or JFR, also in .gz and .zip",
    ).path().multiple(required = true)

    override fun helpEpilog(context: Context) =
        "Five dumps, one second apart:\u0085for i in 1 2 3 4 5; do jcmd PID Thread.print -l > d\$i.txt; sleep 1; done" +
            "\u0085$COMMAND explain d*.txt\n\n" +
            "With the request rate of that time:\u0085$COMMAND explain dumps.zip --rate 120/s --write-experiment again.yaml\n\n" +
            "A recording, as a page:\u0085jcmd PID JFR.dump filename=app.jfr" +
            "\u0085$COMMAND explain app.jfr --format html > limit.html"

    override fun run() {
        val read = readDumps(files)
        val application = read.application ?: throw InputProblem(
            (read.problems + "None of the files can be explained.").joinToString("\n"),
        )
        read.problems.forEach(::say)
        if (cpus != null && application.cpu == null) {
            say("--cpus has no effect: these dumps have no CPU time. Those of Thread.print have.")
        }
        val explained = explain(withCpus(application.copy(diagnosis = redact(application.diagnosis))), rate)
        writeExperiment?.let { writeExperiment(reproducing(explained), it, ::say, toReplace(explained)) }
        printResult(
            when (format) {
                "json" -> renderJson(explained, read.problems)
                "text" -> terminalText(page(explained), terminal)
                else -> rendered(page(explained, read.problems), format, terminal)
            },
        )
    }

    private fun withCpus(application: DumpedApplication): DumpedApplication =
        cpus?.let { given -> application.copy(cpu = application.cpu?.copy(cpus = given)) } ?: application
}
