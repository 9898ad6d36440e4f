package bootdyno.engines.jmeter

/** Writes a JMeter plan as XML: test elements with their properties, each followed by the `hashTree` of those beneath it. */
internal class PlanXml {
    private val out = StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")

    override fun toString() = out.toString()

    /** All of a plan, whose elements are written by [content]. */
    fun plan(content: PlanXml.() -> Unit) {
        tag("jmeterTestPlan", mapOf("version" to "1.2", "properties" to "5.0", "jmeter" to JMETER_VERSION)) {
            tag("hashTree", emptyMap(), content)
        }
    }

    /** A test element of class [kind] that JMeter shows by [gui]. */
    fun element(kind: String, gui: String, name: String, properties: PlanXml.() -> Unit = {}, beneath: PlanXml.() -> Unit = {}) {
        val attributes = mapOf("guiclass" to gui, "testclass" to kind, "testname" to name, "enabled" to "true")
        tag(kind, attributes, properties)
        tag("hashTree", emptyMap(), beneath)
    }

    fun text(name: String, value: String) = tag("stringProp", mapOf("name" to name)) { out.append(xml(value)) }

    fun flag(name: String, value: Boolean) = tag("boolProp", mapOf("name" to name)) { out.append(value) }

    fun number(name: String, value: Int) = tag("intProp", mapOf("name" to name)) { out.append(value) }

    fun nested(name: String, kind: String, properties: PlanXml.() -> Unit) =
        tag("elementProp", mapOf("name" to name, "elementType" to kind), properties)

    fun collection(name: String, items: PlanXml.() -> Unit) = tag("collectionProp", mapOf("name" to name), items)

    private fun tag(name: String, attributes: Map<String, String>, content: PlanXml.() -> Unit) {
        out.append('<').append(name)
        attributes.forEach { (attribute, value) -> out.append(" $attribute=\"${xml(value)}\"") }
        out.append('>')
        content()
        out.append("</$name>\n")
    }

    private fun xml(text: String): String = buildString {
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
