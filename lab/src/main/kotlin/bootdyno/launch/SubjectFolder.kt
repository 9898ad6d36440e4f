package bootdyno.launch

import bootdyno.system.ledger.Ledger
import java.nio.file.Files
import java.nio.file.Path

/**
 * A private folder of one subject; nobody else may look into it. The subject runs in [work], which is empty: Spring Boot reads
 * `application.yml` and `config/` of the folder that it is started in.
 */
internal class SubjectFolder private constructor(val path: Path, val work: Path) {
    companion object {
        /** Throws [java.io.IOException]. */
        fun make(ledger: Ledger): SubjectFolder {
            val path = ledger.temporaryFolder("subject")
            return SubjectFolder(path, Files.createDirectory(path.resolve("work")))
        }
    }
}
