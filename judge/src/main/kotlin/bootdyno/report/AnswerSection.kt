package bootdyno.report

/** Also who starts first, what a sweep pays, who is the best in other workloads under the same load, and what one round leaves open. */
internal fun answerSection(report: Report): Section {
    val screen = firstScreen(report)
    val said = listOfNotNull(screen.verdict, screen.cause)
    val beside = listOfNotNull(startUpSentence(report)) + paySentences(report) + rankings(report, screen) - said +
        listOfNotNull(openAfterOneRound(report, screen.tiles))
    return answerSection(screen, beside)
}

/** The answer of a first [screen], for formats that have no such screen. */
internal fun answerSection(screen: FirstScreen, beside: List<String> = emptyList()): Section {
    val facts = screen.tiles.map { Fact(it.heading, listOfNotNull(it.words, it.command).joinToString(" ")) }
    return Section(
        "answer",
        "Answer",
        null,
        listOf(Paragraph(screen.badge.words, screen.badge.sign.tone), Paragraph(screen.verdict, Tone.STRONG)) +
            listOfNotNull(screen.cause).map { Paragraph(it) } + Facts(facts) + beside.map { Paragraph(it) },
        setOf(Medium.TERMINAL, Medium.MARKDOWN),
    )
}

/** Of the other workloads under the first one's load, and of the first one where the answer is about starting. */
private fun rankings(report: Report, screen: FirstScreen): List<String> {
    val ranked = report.analysis.groups.filter { it.ranks.isNotEmpty() }
    val started = ranked.take(1).filter { screen.verdict == startUpSentence(report) }
    val others = ranked.drop(1)
        .filter { it.work.workload != null && it.work.profile == ranked.first().work.profile && it.ranks.size > 1 }
    return (started + others).take(MOST_OTHERS).map { (openAnswer(report, it) ?: rankingAnswer(report, it)).verdict }
}

private const val MOST_OTHERS = 4
