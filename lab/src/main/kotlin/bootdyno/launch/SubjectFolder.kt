package bootdyno.launch

import bootdyno.system.ledger.Ledger
import java.nio.file.Files
import java.nio.file.Path

/** A private folder of one subject, gone when it is closed; nobody else may look into it. Throws [java.io.IOException]. */
internal class SubjectFolder(private val ledger: Ledger) : AutoCloseable {
    val path: Path = ledger.temporaryFolder("subject")

    /** The empty folder that it runs in: Spring Boot reads `application.yml` and `config/` of the folder that it is started in. */
    val workingDirectory: Path = Files.createDirectory(path.resolve("work"))

    override fun close() {
        ledger.removeTemporary(path)
    }
}
