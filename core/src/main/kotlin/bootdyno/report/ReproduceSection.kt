package bootdyno.report

/** The commands that measure this again, exactly as resolved, and that judge it again. */
internal fun reproduceSection(report: Report): Section {
    val experiment = report.experiment
    val commands = listOfNotNull(
        report.folder?.let { "./dyno run $it/experiment.yaml" }
            ?: "./dyno run ${experiment.name} --seed ${experiment.repetition.seed}",
        report.folder?.let { "./dyno report $it" },
    )
    return Section("reproduce", "Reproduce", null, listOf(Verbatim(commands)), setOf(Medium.HTML, Medium.MARKDOWN))
}
