package bootdyno.report

/** Where the rest is to be read; last, because the terminal's last line is seen first. */
internal fun whereSection(report: Report): Section? {
    val folder = report.folder?.trimEnd('/') ?: return null
    val facts = listOf(Fact("read on", "$folder/report.html"), Fact("judge again", "./dyno report $folder"))
    return Section("where", "Report", null, listOf(Facts(facts)), setOf(Medium.TERMINAL))
}
