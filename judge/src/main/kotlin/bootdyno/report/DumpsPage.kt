package bootdyno.report

import bootdyno.explain.DumpsExplanation
import bootdyno.explain.inUse
import bootdyno.explain.name
import bootdyno.model.count
import bootdyno.model.listed
import bootdyno.model.perSecond
import bootdyno.model.percent
import bootdyno.model.plural
import bootdyno.model.rounded
import bootdyno.profile.methodShares
import bootdyno.profile.samples
import bootdyno.report.Column.WhenTight

/** The explanation of dumps as blocks. [problems]: a sentence for each file that could not be used. */
fun page(explained: DumpsExplanation, problems: List<String> = emptyList()): Page = Page(
    title = headline(explained),
    question = "What limits the application, and who holds it?",
    conditions = conditions(explained),
    sections = listOfNotNull(
        answer(explained),
        bullets("not", "What it is not", explained.isNot),
        bullets("hidden", "What the dumps cannot show", explained.cannotShow),
        resources(explained),
        methods(explained),
        bullets("files", "Not used", problems),
    ),
)

private fun headline(explained: DumpsExplanation): String {
    val limit = explained.bottleneck?.limit ?: return "No limit is named"
    return if (explained.isProven) "$limit ${limit.verb("limit")} the application" else "Likely limit: $limit"
}

private fun conditions(explained: DumpsExplanation): List<Fact> {
    val application = explained.application
    val dumps = application.forms.map { (form, number) -> "$number × $form" }
    return listOfNotNull(
        Fact("", listed(dumps)).takeIf { dumps.isNotEmpty() },
        application.process?.let { Fact("process", "$it") },
        application.jvm?.let { Fact("JVM", it) },
        Fact("", "${rounded(explained.requests)} requests in threads").takeIf { dumps.isNotEmpty() },
        explained.rate?.let { Fact("given rate", perSecond(it)) },
    )
}

private fun answer(explained: DumpsExplanation): Section {
    val limit = explained.bottleneck?.let { Item(it.measured, Tone.STRONG, it.details) }
    val missing = explained.missing?.let { Item(it, Tone.WARN) }
    val did = explained.activities?.let { Item("The requests: $it.") }
    val next = explained.next?.let { Item("Next: ${it.sentence}", detail = listOfNotNull(it.prediction?.sentence)) }
    return Section("answer", "Answer", null, listOf(Bullets(listOfNotNull(limit, missing, did, next))))
}

private fun bullets(id: String, heading: String, sentences: List<String>): Section? =
    sentences.ifEmpty { null }?.let { Section(id, heading, null, listOf(Bullets(it.map { sentence -> Item(sentence) }))) }

private fun resources(explained: DumpsExplanation): Section? {
    val rows = explained.resources.ifEmpty { return null }
    val table = table("Resources in the dumps", rows) {
        text("resource") { Words(it.name.text) }
        figure("in use, median", importance = 1) { count(inUse(it.inUse)) { use -> use.median } }
        column(Column("in use, most", right = true, importance = 3, whenTight = WhenTight.DROP)) {
            count(inUse(it.inUse)) { use -> use.most }
        }
        figure("waiting, median", importance = 1) { count(inUse(it.waiting)) { use -> use.median } }
        text("most wait in", importance = 2) { row -> row.waitingIn?.let { Words("$it") } ?: nothing }
    }
    val lead = "In ${plural(explained.observations, "dump")}: units in use, and requests that waited for one."
    return Section("resources", "Resources", lead, listOf(table))
}

private const val MOST_METHODS = 5

/** Of a recording. */
private fun methods(explained: DumpsExplanation): Section? {
    val diagnosis = explained.application.diagnosis
    val profile = diagnosis.profile?.takeIf { it.cpu.isNotEmpty() } ?: return null
    val shares = methodShares(samples(profile.cpu, diagnosis.stacks)).sortedByDescending { it.self }.take(MOST_METHODS)
    val table = table("Methods with the most CPU samples", shares) {
        text("method") { Words("${it.method}".removePrefix("."), hint = it.method.call) }
        figure("itself") { Words(percent(it.self)) }
        figure("with its calls") { Words(percent(it.total)) }
    }
    return Section("methods", "CPU samples of the recording", null, listOf(table))
}
