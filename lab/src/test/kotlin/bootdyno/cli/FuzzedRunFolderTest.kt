package bootdyno.cli

import bootdyno.store.RunFolder
import bootdyno.store.RunFolderException
import bootdyno.store.SampleRun
import bootdyno.store.TrialOutcome
import bootdyno.store.keep
import com.github.ajalt.mordant.terminal.Terminal
import io.kotest.assertions.withClue
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThan
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.copyToRecursively
import kotlin.io.path.deleteRecursively
import kotlin.random.Random

/** Mutations of a sound run folder, the same ones each time; by hand `-Pfull -Dmutations=20000 -Dfirst.seed=1000000`. */
@Tag("full")
class FuzzedRunFolderTest(@param:TempDir private val parent: Path) {
    private val sound = SampleRun.folder(parent, "sound").apply {
        keep(TrialOutcome(SampleRun.failedRecord))
        keep(SampleRun.outcome())
    }.path

    private val mutations = Integer.getInteger("mutations", 250)
    private val firstSeed = Integer.getInteger("first.seed", 0)

    @OptIn(ExperimentalPathApi::class)
    @Test
    @Timeout(3_600)
    fun `whatever is damaged, the run is judged by what is left or refused in a sentence, and nothing else is written`() {
        val place = parent.resolve("runs/fuzzed")
        var judged = 0
        (firstSeed until firstSeed + mutations).forEach { seed ->
            Files.createDirectories(place.parent)
            sound.copyToRecursively(place, followLinks = false)
            val mutation = Mutation(Random(seed))
            val damages = List(1 + seed % 3) { mutation.damage(place) }
            withClue("seed $seed: $damages") {
                try {
                    val folder = RunFolder.open(place)
                    val report = judge(folder) {}
                    // Drawing every form takes longer than all else.
                    if (seed % 5 == 0) {
                        listOf(true, false).forEach { terminalText(report, Terminal(), verbose = it) }
                        writeReports(report, folder) {}
                    }
                    folder.read().damaged.forEach(folder::setAside)
                    judged++
                } catch (refused: RunFolderException) {
                    check('\n' !in refused.message.orEmpty()) { "more than a sentence: ${refused.message}" }
                } catch (crash: Throwable) {
                    throw AssertionError("seed $seed: $damages", crash)
                }
            }
            Files.list(parent).use { it.sorted().toList() } shouldContainExactly listOf(sound, place.parent).sorted()
            Files.list(place.parent).use { it.toList() } shouldContainExactly listOf(place)
            place.deleteRecursively()
        }
        judged shouldBeGreaterThan mutations / 4
    }
}
