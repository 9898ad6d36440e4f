package bootdyno.engines.jmeter

import bootdyno.engine.EngineFailed
import org.w3c.dom.Document
import org.w3c.dom.Element
import org.w3c.dom.Node
import org.xml.sax.SAXException
import org.xml.sax.SAXParseException
import org.xml.sax.helpers.DefaultHandler
import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path
import javax.xml.XMLConstants
import javax.xml.parsers.DocumentBuilderFactory
import javax.xml.transform.OutputKeys
import javax.xml.transform.TransformerFactory
import javax.xml.transform.dom.DOMSource
import javax.xml.transform.stream.StreamResult

/** A JMeter plan file: test elements, each followed by a `hashTree` of its children. */
internal class Jmx private constructor(val file: Path, private val document: Document) {
    /** Every test element, also disabled ones. */
    val all: List<Element> get() = buildList { collect(document.documentElement, onlyEnabled = false, this) }

    /** Test elements that are enabled, with all their parents, but those of the work bench of old plans, which do not run. */
    val enabled: List<Element> get() = buildList { collect(document.documentElement, onlyEnabled = true, this) }

    private fun collect(tree: Element, onlyEnabled: Boolean, into: MutableList<Element>) {
        var wanted = true
        tree.children().forEach { child ->
            if (child.tagName == TREE) {
                if (wanted) collect(child, onlyEnabled, into)
            } else {
                wanted = !onlyEnabled || (child.getAttribute("enabled") != "false" && child.tagName != WORK_BENCH)
                if (wanted) into += child
            }
        }
    }

    /** The first test element with this name. */
    fun named(name: String): Element = all.first { it.getAttribute("testname") == name }

    fun write(to: Path) {
        val transformer = TransformerFactory.newInstance().newTransformer()
        transformer.setOutputProperty(OutputKeys.ENCODING, "UTF-8")
        Files.newOutputStream(to).use { transformer.transform(DOMSource(document), StreamResult(it)) }
    }

    companion object {
        private const val TREE = "hashTree"
        private const val WORK_BENCH = "WorkBench"
        private const val ROOT = "jmeterTestPlan"

        /** @throws EngineFailed if the file is missing or not a JMeter plan */
        fun read(file: Path): Jmx {
            if (!Files.isRegularFile(file)) throw EngineFailed("There is no JMeter plan $file.")
            val document = try {
                Files.newInputStream(file).use { builder().parse(it) }
            } catch (broken: SAXException) {
                val place = (broken as? SAXParseException)?.let { "line ${it.lineNumber}, column ${it.columnNumber}: " }.orEmpty()
                throw EngineFailed("$file is no JMeter plan: $place${broken.message}")
            } catch (unreadable: IOException) {
                throw EngineFailed("The JMeter plan $file cannot be read: ${unreadable.message}")
            }
            val root = document.documentElement.tagName
            if (root != ROOT) throw EngineFailed("$file is no JMeter plan: its root is <$root>, not <$ROOT>.")
            return Jmx(file, document)
        }

        /** Plans are untrusted: external entities are not read. The error handler replaces one that prints to stderr. */
        private fun builder() = DocumentBuilderFactory.newInstance().apply {
            setFeature("http://apache.org/xml/features/disallow-doctype-decl", true)
            setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true)
        }.newDocumentBuilder().apply { setErrorHandler(DefaultHandler()) }
    }
}

internal fun Element.children(): List<Element> =
    generateSequence(firstChild, Node::getNextSibling).filterIsInstance<Element>().toList()

/** The property [name], a child such as `<stringProp name="…">` of any type. */
internal fun Element.property(name: String): Element? = children().find { it.getAttribute("name") == name }

internal fun Element.text(name: String): String? = property(name)?.textContent?.trim()

internal fun Element.set(name: String, value: String) {
    val property = property(name)
        ?: ownerDocument.createElement("stringProp").also {
            it.setAttribute("name", name)
            appendChild(it)
        }
    property.textContent = value
}

/** Replaces the content of the existing property [name], also a nested one, by [value]. */
internal fun Element.put(name: String, value: String) {
    val properties = getElementsByTagName("*")
    (0 until properties.length).map { properties.item(it) as Element }.first { it.getAttribute("name") == name }.textContent =
        value
}

/** The `hashTree` of a test element's children. */
internal val Element.beneath: Element
    get() = generateSequence(nextSibling, Node::getNextSibling).filterIsInstance<Element>().first()

/** The test element with this name in a `hashTree`. */
internal fun Element.named(name: String): Element = children().single { it.getAttribute("testname") == name }

/** Copies a test element with its children to the end of [tree]. */
internal fun Element.copyInto(tree: Element): Element =
    (tree.appendChild(cloneNode(true)) as Element).also { tree.appendChild(beneath.cloneNode(true)) }

/** Removes a test element with its children. */
internal fun Element.remove() {
    parentNode.removeChild(beneath)
    parentNode.removeChild(this)
}
