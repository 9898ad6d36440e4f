package bootdyno.report

/** Where a page can be read. */
enum class Medium { TERMINAL, MARKDOWN, HTML }

/** How loud a piece of text is; a renderer decides what that looks like. */
enum class Tone { PLAIN, STRONG, DIM, GOOD, WARN, BAD }

/** A whole report before it is text: what was asked, under which conditions, and the sections in reading order. */
data class Page(
    val title: String,
    val question: String,
    val conditions: List<Fact>,
    val status: Sign,
    val sections: List<Section>,
) {
    fun sectionsFor(medium: Medium): List<Section> = sections.filter { medium in it.media }
}

/** One heading with what stands under it. [id] is its anchor, unique in a page. */
data class Section(
    val id: String,
    val heading: String,
    val lead: String?,
    val blocks: List<Block>,
    val media: Set<Medium> = Medium.entries.toSet(),
)

/** A word that says at a glance how something ended: `pass`, `faster`, `2 trials failed`. */
data class Sign(val word: String, val tone: Tone)

data class Fact(val name: String, val value: String)

/** What a section is made of. Charts are blocks too: see [Chart]. */
sealed interface Block

/** [heading]: it names what follows. */
data class Paragraph(val text: String, val tone: Tone = Tone.PLAIN, val heading: Boolean = false) : Block

data class Bullets(val items: List<Item>) : Block

/** [text] in one line; [detail] below it, quieter. */
data class Item(val text: String, val tone: Tone = Tone.PLAIN, val detail: List<String> = emptyList())

data class Cards(val cards: List<Card>) : Block

/** A finding to be seen first: a [figure] with its [range], a [title] and a sentence. */
data class Card(val figure: String, val range: String?, val title: String, val text: String, val tone: Tone)

/** Lines to type or to read as they are. */
data class Verbatim(val lines: List<String>) : Block

data class Facts(val facts: List<Fact>) : Block

/** Blocks a reader opens when needed. */
data class Folded(val summary: String, val blocks: List<Block>) : Block
