package bootdyno.engines.jmeter

import bootdyno.model.Template
import bootdyno.model.Writing

/** A value that is known only while the plan runs, as a variable of JMeter's: for each way it is to be written another. */
internal data class PlanVariable(val name: String, val writing: Writing) {
    val named: String get() = "$name.$writing"
}

/**
 * Text as it stands in a plan. JMeter has no escape for `${` in a text without functions, and XML 1.0 none for most control
 * characters and half a pair of surrogates: such a text goes into a property, which the plan names and JMeter does not read further.
 */
internal class PlanText {
    private val properties = LinkedHashMap<String, String>()
    private val variables = LinkedHashSet<PlanVariable>()

    /** The values of the properties that the plan names. */
    val named: Map<String, String> get() = properties

    /** The variables in its templates. */
    val needed: Set<PlanVariable> get() = variables

    fun of(text: String): String = if ("\${" !in text && text.all(::fitsXml)) text else property(text)

    /** [template] with variables where one of [values] is to stand; a placeholder of another name is text. */
    fun of(template: Template, values: Set<String>): String {
        val isVariable = { piece: Template.Piece -> piece is Template.Hole && piece.name in values }
        if (template.pieces.none(isVariable)) return of(template.fill(emptyMap()))
        return template.pieces.joinToString("") { piece ->
            when (piece) {
                is Template.Literal -> besideVariable(piece.text)
                is Template.Hole -> if (isVariable(piece)) variable(piece) else besideVariable(piece.text)
            }
        }
    }

    private fun variable(hole: Template.Hole) = "\${${PlanVariable(hole.name, hole.writing).also(variables::add).named}}"

    /** In a text with variables a backslash escapes, and a dollar may begin another. */
    private fun besideVariable(text: String): String = if ('\\' in text || '$' in text) property(text) else of(text)

    private fun property(text: String): String {
        val known = properties.entries.find { it.value == text }?.key
        val name = known ?: "bootdyno.text.${properties.size + 1}".also { properties[it] = text }
        return "\${__property($name)}"
    }

    private fun fitsXml(char: Char) = char in ' '..'\uD7FF' || char in '\uE000'..'\uFFFD' || char in "\n\t\r"
}
