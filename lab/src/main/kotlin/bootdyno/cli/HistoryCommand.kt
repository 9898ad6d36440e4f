package bootdyno.cli

import bootdyno.analyse.BrokenHistory
import bootdyno.analyse.readHistory
import bootdyno.analyse.seriesOf
import bootdyno.measure.InputProblem
import bootdyno.model.BrokenCsv
import bootdyno.model.Bytes
import bootdyno.report.page
import com.github.ajalt.clikt.core.Context
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.clikt.parameters.arguments.argument
import com.github.ajalt.clikt.parameters.arguments.multiple
import com.github.ajalt.clikt.parameters.options.default
import com.github.ajalt.clikt.parameters.options.option
import com.github.ajalt.clikt.parameters.types.choice
import com.github.ajalt.clikt.parameters.types.path
import java.nio.file.Path

/** Some hundred thousand figures. */
private val LARGEST = Bytes(64 * Bytes.MIB)

/** Shows how the figures of runs developed, and when their level shifted. */
internal class HistoryCommand :
    DynoCommand("history", "Show when the figures of many runs shifted, from the files of --history") {
    private val format by option(metavar = "FORMAT", help = "What to print: text (default), md, html")
        .choice("text", "md", "html").default("text")
    private val files by argument("FILE", help = "CSV files that --history of run, capacity, compare, resume or report wrote")
        .path().multiple(required = true)

    override fun helpEpilog(context: Context) =
        "$COMMAND run target/shop.jar --path /orders --history history.csv\u0085$COMMAND history history.csv\n\n" +
            "As a page with a chart for each figure:\u0085$COMMAND history history.csv --format html > history.html"

    override fun run() {
        val series = seriesOf(files.flatMap { figures(it) })
        if (series.isEmpty()) {
            throw InputProblem(
                "${files.joinToString()}: no figures.\nLet a run add some: $COMMAND run … --history ${files.first()}",
            )
        }
        printResult(rendered(page(series, files.map { "$it" }, COMMAND), format, terminal))
    }

    private fun figures(file: Path) = try {
        readHistory(readInput(file, "$file", LARGEST))
    } catch (broken: BrokenHistory) {
        throw notReadable(file, broken.message.orEmpty())
    } catch (broken: BrokenCsv) {
        throw notReadable(file, broken.message.orEmpty())
    }

    private fun notReadable(file: Path, reason: String) =
        InputProblem("$file is no history of Boot Dyno: $reason.\nName a file that --history has written.")
}
