package bootdyno.report

/** The commands that measure and judge this again. */
internal fun reproduceSection(report: Report): Section {
    val experiment = report.experiment
    val only = experiment.only.joinToString("") { " --only '$it'" }
    val commands = listOfNotNull(
        "./dyno run ${experiment.name} --preset ${presetOf(report)} --seed ${experiment.protocol.seed}$only",
        report.folder?.let { "./dyno report $it --format html" },
    )
    return Section("reproduce", "Reproduce", null, listOf(Verbatim(commands)), setOf(Medium.HTML, Medium.MARKDOWN))
}
