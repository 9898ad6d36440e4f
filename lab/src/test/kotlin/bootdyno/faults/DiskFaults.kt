package bootdyno.faults

import java.io.IOException
import java.nio.file.Files
import java.nio.file.Path

private const val KIND = "Disk"

internal fun diskFaults(): List<Faults> = listOf(
    onSmallDisk("the disk is full before the run", megabytes = 1) { world, disk ->
        disk.fill()
        val dyno = world.run(Moment.WINDOW.experiment(world))
        dyno.exits(2).says("space|left|full")
        disk.free()
        if (world.finished().isNotEmpty()) throw AssertionError("something was measured")
        "exit code 2; nothing is started"
    },
    onSmallDisk("the disk is full during a trial", megabytes = 8) { world, disk ->
        val dyno = world.run(Moment.WINDOW.experiment(world))
        await("load\n${dyno.output()}") { world.finished().size == 1 }
        disk.fill()
        val finished = FinishedTrials.of(world)
        dyno.exits(1).says("space")
        Leftovers(world).assertNone()
        disk.free()
        finished.assertIntact()
        world.resume()
        finished.assertIntact()
        "exit code 1 and a sentence; with space again, resume completes the run"
    },
    onSmallDisk("the disk is full at the report", megabytes = 8) { world, disk ->
        world.run(Moment.WINDOW.experiment(world)).exits(0)
        val run = world.runFolder()
        val finished = FinishedTrials.of(world)
        disk.fill()
        val report = world.dyno("report", "$run").exits(0, 1).says("space")
        disk.free()
        world.dyno("report", "$run").exits(0)
        world.resume()
        finished.assertIntact()
        "exit code ${report.exitCode} and a sentence; with space again, report and resume work"
    },
    onSmallDisk("a report of a run on a read-only disk", megabytes = 8) { world, disk ->
        world.run(Moment.WINDOW.experiment(world)).exits(0)
        disk.readOnly(true)
        val report = world.dyno("report", "${world.runFolder()}")
        report.exits(0, 1, 2)
        disk.readOnly(false)
        "exit code ${report.exitCode} and a sentence"
    },
    fault(KIND, "the run folder is removed during the run") { world ->
        val dyno = world.run(Moment.WINDOW.experiment(world))
        await("load\n${dyno.output()}") { Moment.WINDOW.isReached(world) }
        removeWorld(world.runFolder())
        dyno.exits(1).says("${world.runs}")
        "exit code 1 and a sentence"
    },
    fault(KIND, "the folder for runs is a file") { world ->
        val file = world.file("out", "")
        world.dyno("run", "${Moment.WINDOW.experiment(world)}", "--out", "$file").exits(2)
        "exit code 2; nothing is started"
    },
)

/** The run folder is on a disk of [megabytes] of its own. */
private fun onSmallDisk(name: String, megabytes: Int, happens: (World, SmallDisk) -> String) = fault(KIND, name) { world ->
    onlyIf(isRoot, "only root can mount a small disk")
    SmallDisk(world.runs, megabytes).use { happens(world, it) }
}

private class SmallDisk(private val folder: Path, megabytes: Int) : AutoCloseable {
    private val filler = folder.resolve("filler")

    init {
        succeed("mount", "-t", "tmpfs", "-o", "size=${megabytes}m", "faults", "$folder")
    }

    fun fill() {
        val block = ByteArray(4096)
        try {
            Files.newOutputStream(filler).use { out -> while (true) out.write(block) }
        } catch (_: IOException) {
            // It is full.
        }
    }

    fun free() {
        Files.deleteIfExists(filler)
    }

    fun readOnly(readOnly: Boolean) = succeed("mount", "-o", if (readOnly) "remount,ro" else "remount,rw", "$folder")

    override fun close() {
        succeed("umount", "-l", "$folder")
    }

    private fun succeed(vararg words: String) {
        val process = ProcessBuilder(*words).redirectErrorStream(true).start()
        val said = process.inputReader().readText()
        if (process.waitFor() != 0) throw AssertionError("${words.joinToString(" ")}: $said")
    }
}
