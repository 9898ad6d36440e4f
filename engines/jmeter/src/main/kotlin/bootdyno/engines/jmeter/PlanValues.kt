package bootdyno.engines.jmeter

import org.w3c.dom.Element

/** What a text of a plan stands for, as far as it can be seen without running it. */
internal sealed interface PlanValue {
    data class Literal(val text: String) : PlanValue

    /** `${__P(name,default)}`. */
    data class Property(val name: String, val default: String?) : PlanValue

    /** Made while the plan runs: another function, a variable from a file, several of them. */
    data class Computed(val text: String) : PlanValue
}

/** Reads texts of a plan whose *User Defined Variables* are known. */
internal class PlanValues(jmx: List<Jmx>) {
    private val variables: Map<String, String> = jmx.flatMap { it.enabled }.flatMap(::definedBy).toMap()

    fun of(text: String): PlanValue = of(text.trim(), depth = 0)

    private fun of(text: String, depth: Int): PlanValue {
        if ("\${" !in text) return PlanValue.Literal(text)
        P.matchEntire(text)?.destructured?.let { (name, default) -> return property(name, default) }
        PROPERTY.matchEntire(text)?.destructured?.let { (name, default) -> return property(name, default) }
        val value = VARIABLE.matchEntire(text)?.let { variables[it.groupValues[1]] }
        return if (value == null || depth == DEEPEST) PlanValue.Computed(text) else of(value.trim(), depth + 1)
    }

    private fun property(name: String, default: String) = PlanValue.Property(name.trim(), default.trim().ifEmpty { null })

    private fun definedBy(element: Element): List<Pair<String, String>> =
        (element.property("TestPlan.user_defined_variables") ?: element.takeIf { it.tagName == "Arguments" })
            ?.property("Arguments.arguments")?.children().orEmpty()
            .mapNotNull { argument -> argument.text("Argument.name")?.let { it to argument.text("Argument.value").orEmpty() } }

    private companion object {
        const val DEEPEST = 5
        val P = Regex("""\$\{__P\(([^,()$]+)(?:,([^()$]*))?\)}""")

        /** Name, a variable to keep the value in, default. */
        val PROPERTY = Regex("""\$\{__property\(([^,()$]+)(?:,[^,()$]*)?(?:,([^()$]*))?\)}""")
        val VARIABLE = Regex("""\$\{([^{}$()]+)}""")
    }
}
