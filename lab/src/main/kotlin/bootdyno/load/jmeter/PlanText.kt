package bootdyno.load.jmeter

/**
 * Text as it stands in a plan. JMeter has no escape for `${` in a text without functions, and XML 1.0 none for most control
 * characters: such a text goes into a property, which the plan names and JMeter does not read further.
 */
internal class PlanText {
    private val properties = LinkedHashMap<String, String>()

    /** What the plan's names stand for. */
    val named: Map<String, String> get() = properties

    fun of(text: String): String {
        if (VARIABLE !in text && text.all(::fitsXml)) return xml(text)
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
