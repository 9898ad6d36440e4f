package bootdyno.engines.jmeter

import bootdyno.model.Template
import bootdyno.model.Writing

/** A value that is known only while the plan runs, as a variable of JMeter's: for each way it is to be written another. */
internal data class PlanVariable(val name: String, val writing: Writing) {
    val named: String get() = "$name.$writing"
}

/**
 * Text as it stands in a plan. JMeter has no escape for `${` in a text without functions, and XML 1.0 none for most control
 * characters: such a text goes into a property, which the plan names and JMeter does not read further.
 */
internal class PlanText {
    private val properties = LinkedHashMap<String, String>()
    private val variables = LinkedHashSet<PlanVariable>()

    /** What the plan's names stand for. */
    val named: Map<String, String> get() = properties

    /** What its templates need. */
    val needed: Set<PlanVariable> get() = variables

    fun of(text: String): String = if (VARIABLE !in text && text.all(::fitsXml)) xml(text) else property(text)

    /** [template] with variables where one of [values] is to stand; a placeholder of another name is text. */
    fun of(template: Template, values: Set<String>): String {
        val pieces = template.pieces.map { if (it is Template.Hole && it.name !in values) Template.Literal(it.text) else it }
        if (pieces.all {
                it is Template.Literal
            }
        ) {
            return of(pieces.filterIsInstance<Template.Literal>().joinToString("") { it.text })
        }
        return pieces.joinToString("") {
            when (it) {
                is Template.Literal -> besideVariable(it.text)
                is Template.Hole -> "\${${PlanVariable(it.name, it.writing).also(variables::add).named}}"
            }
        }
    }

    /** In a text with variables a backslash escapes, and a dollar may begin another. */
    private fun besideVariable(text: String): String = if ('\\' in text || '$' in text) property(text) else of(text)

    private fun property(text: String): String {
        val name =
            properties.entries.find { it.value == text }?.key
                ?: "bootdyno.text.${properties.size + 1}".also { properties[it] = text }
        return "\${__property($name)}"
    }

    private fun fitsXml(char: Char) = char >= ' ' || char == '\n' || char == '\t' || char == '\r'

    companion object {
        private const val VARIABLE = "\${"

        fun xml(text: String): String = buildString {
            text.forEach { char ->
                when (char) {
                    '&' -> append("&amp;")
                    '<' -> append("&lt;")
                    '>' -> append("&gt;")
                    '"' -> append("&quot;")
                    '\r', '\n', '\t' -> append("&#${char.code};")
                    else -> append(char)
                }
            }
        }
    }
}
