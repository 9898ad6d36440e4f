package bootdyno.database

import bootdyno.system.runShortly
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldStartWith
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name

class PostgresFilesTest(@param:TempDir private val cache: Path) {
    @Test
    fun `every machine has its archive`() {
        archiveName("Linux", "amd64") shouldBe "/postgres-linux-x86_64.txz"
        archiveName("Linux", "aarch64") shouldBe "/postgres-linux-arm_64.txz"
        archiveName("Mac OS X", "x86_64") shouldBe "/postgres-darwin-x86_64.txz"
        archiveName("Mac OS X", "aarch64") shouldBe "/postgres-darwin-arm_64.txz"
    }

    @Test
    fun `what is unpacked runs, and is unpacked once`() {
        val first = PostgresFiles.unpacked(cache)
        val server = first.program("postgres")
        runShortly(listOf("$server", "--version"))?.output.orEmpty() shouldStartWith "postgres (PostgreSQL) 18."
        val made = Files.getLastModifiedTime(server.parent)
        PostgresFiles.unpacked(cache).program("postgres") shouldBe server
        Files.getLastModifiedTime(server.parent) shouldBe made
        cache.listDirectoryEntries().filter { it.name.startsWith(".") }.shouldBeEmpty()
    }
}
