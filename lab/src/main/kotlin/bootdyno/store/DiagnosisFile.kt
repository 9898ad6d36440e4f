package bootdyno.store

import bootdyno.model.Diagnosis
import bootdyno.model.MovedLimit
import kotlinx.serialization.json.Json
import java.nio.file.Files
import java.nio.file.Path

/** `diagnosis.json`: compact, because thousands of threads and stacks may be in it. */
internal object DiagnosisFile {
    /** Secrets are hidden. No measured figure needs it: a full disk costs only the diagnosis, which then says so. */
    fun writeIfThereIsRoom(path: Path, diagnosis: Diagnosis) {
        try {
            write(path, diagnosis)
        } catch (full: RunFolderException) {
            writeReason(path, Diagnosis(from = diagnosis.from, to = diagnosis.to, missing = listOf(full.message.orEmpty())))
        }
    }

    private fun writeReason(path: Path, reason: Diagnosis) {
        try {
            write(path, reason)
        } catch (_: RunFolderException) {
            explained("remove", path) { Files.deleteIfExists(path) }
        }
    }

    private fun write(path: Path, diagnosis: Diagnosis) =
        writeDurably(path, (Json.encodeToString(Diagnosis.serializer(), redact(diagnosis)) + "\n").toByteArray())

    /** No measured figure depends on it: a trial with an unreadable one counts, also with a reference to what is not in its tables. */
    fun read(path: Path): Diagnosis = try {
        JsonFile.read(Diagnosis.serializer(), path).also { problemOf(it)?.let { why -> throw DamagedFile(path, why) } }
    } catch (damage: DamagedFile) {
        Diagnosis(from = 0.0, to = 0.0, missing = listOf(damage.message.orEmpty()))
    }
}

/** Slices follow one another, after the beginning of the observation. */
private fun problemOf(moved: MovedLimit, from: Double): String? {
    val slices = moved.slices
    val overlap = slices.zipWithNext().any { (one, next) -> next.at < one.at + one.seconds - ROUNDING_SECONDS }
    val fastest = slices.maxOfOrNull { it.perSecond } ?: 0.0
    return when {
        (slices.map { it.value } + moved.original).any { it !in UNITS } -> "it has a limit of no ${moved.noun}"
        slices.any { it.seconds <= 0 } -> "it has a slice of no length at a limit of ${moved.noun}"
        fastest > MOST_PER_SECOND -> "it has $fastest requests/s at a limit of ${moved.noun}, and no server answers so many"
        overlap || slices.any { it.at < from } -> "its slices at limits of ${moved.noun} do not follow one another"
        else -> null
    }
}

/** From a hundredth of a CPU on. */
private val UNITS = 0.01..LARGEST_NUMBER

/** What is invalid, as a sentence without a full stop; null if it is valid. */
private fun problemOf(diagnosis: Diagnosis): String? {
    val table = diagnosis.stacks
    val profile = diagnosis.profile
    val weights = profile?.run { cpu + allocation + waits.values.flatten() }.orEmpty()
    val used = diagnosis.dumps.flatMap { it.threads }.map { it.stack } + weights.map { it.stack }
    return problemOfVersion(diagnosis.schemaVersion) ?: when {
        table.stacks.any { stack -> stack.any { it !in table.frames.indices } } -> "a stack has a frame that is not in its table"

        used.any { it !in table.stacks.indices } -> "it refers to a stack that is not in its table"

        else -> diagnosis.moved.firstNotNullOfOrNull { problemOf(it, diagnosis.from) }
            ?: impossibleNumber(JsonFile.tree(Diagnosis.serializer(), diagnosis), LARGEST_NUMBER)
    }
}
