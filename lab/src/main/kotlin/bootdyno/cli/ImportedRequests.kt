package bootdyno.cli

import bootdyno.imports.ImportOptions
import bootdyno.imports.LARGEST_IMPORT
import bootdyno.imports.readImport
import bootdyno.keys.WrittenWorkload
import bootdyno.keys.hostOf
import bootdyno.measure.InputProblem
import bootdyno.measure.asInput
import bootdyno.measure.orRefused
import bootdyno.model.associateWithNotNull
import bootdyno.plan.FoundData
import bootdyno.store.failureReason
import bootdyno.store.replaceDurably
import bootdyno.system.nullOn
import bootdyno.system.sha256
import java.io.IOException
import java.nio.file.InvalidPathException
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.exists
import kotlin.io.path.isRegularFile
import kotlin.io.path.name
import kotlin.io.path.nameWithoutExtension

private const val FEWER_LINES = "Import a part of it; of an access log: tail -n 200000 access.log > part.log."

/** The requests of a file as a workload; [data] has the values of its placeholders. */
internal class ImportedRequests(val workload: WrittenWorkload, val data: FoundData?)

/**
 * Reads the requests of [file] to [hosts], this machine if empty, and says which are sent and which are left out. [url] is the
 * address of an application that already runs. A CSV file in [folder] keeps the values of placeholders, because a resumed run
 * reads them again.
 * @throws InputProblem without a request to send
 */
internal fun importRequests(
    file: Path,
    hosts: List<String>,
    url: String?,
    folder: Path,
    say: (String) -> Unit,
): ImportedRequests {
    val bytes = readBytes(file, "$file", LARGEST_IMPORT, FEWER_LINES)
    val basePath = url?.substringAfter("://")?.dropWhile { it != '/' }.orEmpty().trimEnd('/')
    val ownHosts = hosts.ifEmpty { listOfNotNull(url?.let(::hostOf)) }
    val options = ImportOptions(ownHosts, basePath, { textBeside(file, it) }, { textAbove(file, it) }, { textsCalled(file, it) })
    val imported = readImport("$file", bytes, options).orRefused().value
    say(imported.summary("$file"))
    val data = imported.data?.let { keep(it, folder, file.nameWithoutExtension) }
    return ImportedRequests(imported.workload(file.name, data?.path), data)
}

/** The text of a file in the folder of [file], or below; null if there is none, it is no text, or a link leads elsewhere. */
internal fun textBeside(file: Path, name: String): String? =
    nullOn(InvalidPathException::class, IOException::class, InputProblem::class) {
        val folder = file.toRealPath().parent
        val beside = folder.resolve(name)
        beside.takeIf { it.isRegularFile() && it.toRealPath().startsWith(folder) }?.let { readInput(it, name, MOST_BODY) }
    }

/** The text of the file called [name] in the folder of [file], or the nearest above. */
internal fun textAbove(file: Path, name: String): String? =
    generateSequence(file.toAbsolutePath().normalize().parent) { it.parent }.map { it.resolve(name) }.find { it.isRegularFile() }
        ?.let { textBeside(it, it.name) }

/** The texts of the files in the folder of [file] whose names are [wanted], by name, in their order. */
internal fun textsCalled(file: Path, wanted: (String) -> Boolean): Map<String, String> =
    file.toAbsolutePath().parent.toFile().list().orEmpty().filter(wanted).sorted().associateWithNotNull { textBeside(file, it) }

/** Writes [csv] into [folder]. The name has its hash, so that another import does not change the data of a run. */
private fun keep(csv: String, folder: Path, name: String): FoundData {
    val path = folder.toAbsolutePath().normalize().resolve("$name-${sha256(csv.encodeToByteArray()).take(8)}.csv")
    try {
        folder.createDirectories()
    } catch (refused: IOException) {
        throw InputProblem("The folder $folder for the values of $path cannot be created: ${failureReason(refused)}.")
    }
    if (!path.exists()) asInput { replaceDurably(path, csv) }
    return FoundData("$path", csv)
}
