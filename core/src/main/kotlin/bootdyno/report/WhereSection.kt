package bootdyno.report

/** Where the files are; last, because the terminal's last line is seen first. */
internal fun whereSection(report: Report, more: Boolean = false): Section? {
    val folder = report.folder?.trimEnd('/') ?: return null
    val facts = listOf(
        Fact("Open", "$folder/report.html"),
        if (more) Fact("All details", "./dyno report --verbose $folder") else Fact("Judge again", "./dyno report $folder"),
    )
    return Section("where", "Report", null, listOf(Facts(facts)), setOf(Medium.TERMINAL))
}
