package bootdyno.plan

import com.charleskorn.kaml.AnchorsAndAliases
import com.charleskorn.kaml.DuplicateKeyException
import com.charleskorn.kaml.EmptyYamlDocumentException
import com.charleskorn.kaml.Location
import com.charleskorn.kaml.Yaml
import com.charleskorn.kaml.YamlConfiguration
import com.charleskorn.kaml.YamlException
import com.charleskorn.kaml.YamlList
import com.charleskorn.kaml.YamlMap
import com.charleskorn.kaml.YamlNode
import com.charleskorn.kaml.YamlNull
import com.charleskorn.kaml.YamlScalar
import com.charleskorn.kaml.YamlTaggedNode

/** The first of the private-use characters that stand in for duplicate keys. */
private const val MARK = '\uE000'
private const val MARKS = 1000

/** Anchors and aliases are allowed: they spare a file from saying the same subject twice. */
internal val YAML = Yaml(configuration = YamlConfiguration(anchorsAndAliases = AnchorsAndAliases.Permitted()))

/**
 * [text] as a tree, or null when it is no YAML.
 *
 * The parser stops at the first duplicate key. To report them all, its first character is replaced by a mark (which keeps every column)
 * and the text is parsed again; marked keys are left out of the tree.
 */
internal fun parseYaml(file: String, text: String, problems: Problems): Node? {
    var marked = text
    repeat(MARKS) { count ->
        try {
            return YAML.parseToYamlNode(marked).toNode(file)
        } catch (e: DuplicateKeyException) {
            val key = e.key.removeSurrounding("'")
            problems.add(
                e.duplicateLocation.inFile(file),
                key,
                "`$key` is written twice",
                "it is already on line ${e.originalLocation.line}: rename or remove one of the two",
            )
            marked = marked.markedAt(e.duplicateLocation, MARK + count) ?: return null
        } catch (_: EmptyYamlDocumentException) {
            return problems.add(Place(file, 1, 1), "", "the file is empty", "docs/experiment.md has a complete example")
        } catch (e: YamlException) {
            return problems.add(
                e.location.inFile(file),
                "",
                "this is not YAML: ${e.message}",
                "check the indentation and quotes here",
            )
        }
    }
    return null
}

private fun YamlNode.toNode(file: String): Node = when (this) {
    is YamlNull -> EmptyNode(location.inFile(file))
    is YamlScalar -> TextNode(content, location.inFile(file))
    is YamlList -> ListNode(items.map { it.toNode(file) }, location.inFile(file))
    is YamlMap -> MapNode(entries.mapNotNull { (key, value) -> field(file, key, value) }, location.inFile(file))
    is YamlTaggedNode -> innerNode.toNode(file)
}

private fun field(file: String, key: YamlScalar, value: YamlNode): Field? {
    val isMark = key.content.firstOrNull()?.let { it in MARK..MARK + MARKS } ?: false
    return if (isMark) null else Field(key.content, key.location.inFile(file), value.toNode(file))
}

private fun Location.inFile(file: String) = Place(file, line, column)

/** Replaces the first character of the key at [location], inside its quotes if it has some. Null: there is no such place. */
private fun String.markedAt(location: Location, mark: Char): String? {
    val lines = lines().toMutableList()
    val line = lines.getOrNull(location.line - 1) ?: return null
    val start = location.column - 1
    val at = if (line.getOrNull(start) in setOf('"', '\'')) start + 1 else start
    if (at !in line.indices) return null
    lines[location.line - 1] = line.replaceRange(at, at + 1, mark.toString())
    return lines.joinToString("\n")
}
