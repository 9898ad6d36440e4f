package bootdyno.launch.docker

import bootdyno.launch.LaunchFailed
import bootdyno.launch.Prepared
import bootdyno.launch.Program
import bootdyno.launch.prepare.Preparation
import bootdyno.launch.prepare.SPRING_AOT_FLAG
import bootdyno.launch.prepare.contentsOf
import bootdyno.launch.prepare.sizeOf
import bootdyno.launch.prepare.whyNotSpringAot
import bootdyno.model.Artifact
import bootdyno.model.Bytes
import bootdyno.model.Cell
import bootdyno.model.ImageFound
import bootdyno.model.PreparedFound
import bootdyno.model.RuntimeForm
import bootdyno.model.Stage
import java.nio.file.Path

/** A jar in an image. Whatever it is run as, the image is the same, and built once. */
internal class ImagePreparation(cell: Cell, private val jar: Path, images: Images) : Preparation.Work {
    private val form = cell.variant.runtime
    private val build = ImageBuild(jar, cell.variant.java ?: "java", images)
    private var built: BuiltImage? = null

    override val key: String = "image-${build.id}-${form.word}"

    override fun make(log: Path) {
        if (form == RuntimeForm.SPRING_AOT) contentsOf(jar).whyNotSpringAot(jar)?.let { throw LaunchFailed(Stage.PREPARE, it) }
        built = build.once(log)
    }

    override fun prepared(): Prepared {
        val its = checkNotNull(built) { "$key was not built" }
        val found = PreparedFound(
            form = form,
            steps = its.steps,
            sizes = mapOf(Artifact.JAR to Bytes(sizeOf(jar)), Artifact.IMAGE to its.size),
            startedAt = its.startedAt,
            image = ImageFound(its.reference, its.id, its.recipe.base, its.recipe.user, its.recipe.layers, its.dockerfile),
        )
        val flags = listOfNotNull(SPRING_AOT_FLAG.takeIf { form == RuntimeForm.SPRING_AOT })
        return Prepared(Program.Image(its.reference, its.java, its.feature, flags, its.hidden), found)
    }
}
