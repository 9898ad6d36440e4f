package bootdyno

import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import org.junit.jupiter.api.Test
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.extension
import kotlin.io.path.isRegularFile
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.relativeTo

/** The pages for users and developers: their links and their length; and the length of the program. */
class DocumentsTest {
    private val docs = files(CHECKOUT.resolve("docs"), "md")

    private fun files(folder: Path, extension: String, depth: Int = Int.MAX_VALUE) = Files.walk(folder, depth).use { all ->
        all.filter { it.isRegularFile() && it.extension == extension }.toList()
    }

    @Test
    fun `every link to a file or a heading of the repository has its target`() {
        (docs + files(CHECKOUT, "md", depth = 1)).flatMap { page ->
            LINK.findAll(withoutCode(page)).map { it.groupValues[1] }.filterNot { ':' in it || isThere(page, it) }
                .map { "${page.relativeTo(CHECKOUT)}: $it" }
        }.shouldBeEmpty()
    }

    @Test
    fun `every page and heading that the code names is there`() {
        MODULES.flatMap { files(CHECKOUT.resolve(it).resolve("src"), "kt") }.flatMap { source ->
            IN_CODE.findAll(source.readText()).map { it.value }.filterNot { isThere(CHECKOUT.resolve("README.md"), it) }
                .map { "${source.name}: $it" }
        }.shouldBeEmpty()
    }

    @Test
    fun `the pages are no longer than they need to be - who raises a bound says why in the commit`() {
        docs.sumOf { words(it) } shouldBeLessThanOrEqual WORDS_OF_DOCS
        words(CHECKOUT.resolve("CHANGELOG.md")) shouldBeLessThanOrEqual WORDS_OF_CHANGELOG
    }

    /** Without empty lines, imports and comments. */
    @Test
    fun `the program is no longer than it needs to be - who raises the bound says why in the commit`() {
        MODULES.flatMap { files(CHECKOUT.resolve(it).resolve("src/main"), "kt") }
            .sumOf { source -> source.readText().lines().count { CODE.containsMatchIn(it) } } shouldBeLessThanOrEqual
            LINES_OF_CODE
    }

    /** Without marks of figures, which nobody reads. */
    private fun words(page: Path): Int = page.readText().replace(COMMENT, "").split(Regex("\\s+")).count { it.isNotEmpty() }

    private fun isThere(page: Path, link: String): Boolean {
        val file = page.resolveSibling(link.substringBefore('#')).takeIf { link.substringBefore('#').isNotEmpty() } ?: page
        val anchor = link.substringAfter('#', "")
        return file.exists() && (anchor.isEmpty() || anchor in anchors(file))
    }

    private fun withoutCode(page: Path): String = page.readText().replace(FENCED, "")

    /** Of the headings of [page], as GitHub makes them. */
    private fun anchors(page: Path): Set<String> = withoutCode(page).lines().filter { it.startsWith("#") }.map { heading ->
        heading.trimStart('#').trim().lowercase().filter { it.isLetterOrDigit() || it in " -_" }.replace(' ', '-')
    }.toSet()

    private companion object {
        val LINK = Regex("""]\(([^)\s]+)\)""")
        val IN_CODE = Regex("""docs/[a-z-]+\.md(#[a-z0-9-]+)?""")
        val COMMENT = Regex("<!--.*?-->")
        val FENCED = Regex("(?ms)^ *```.*?^ *```$")

        val MODULES = listOf("model", "plan", "judge", "system", "engine", "engines", "lab", "kubernetes", "bench")
        val CODE = Regex("""^\s*(?!import |package |//|/?\*)\S""")

        const val LINES_OF_CODE = 38_842
        const val WORDS_OF_DOCS = 32_025
        const val WORDS_OF_CHANGELOG = 450
    }
}
