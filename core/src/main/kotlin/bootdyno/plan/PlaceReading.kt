package bootdyno.plan

import bootdyno.model.Origin
import bootdyno.model.RunPlace
import bootdyno.model.RuntimeForm

/** With a JRE of the newest long-term release, and nothing to build with. */
const val DEFAULT_BASE_IMAGE = "eclipse-temurin:25-jre"
private val PLACES = mapOf("process" to RunPlace.Process, "docker" to RunPlace.Docker(DEFAULT_BASE_IMAGE))

/** As `docker` takes it: repository, tag and digest; never something that could be read as a flag. */
private val IMAGE_NAME = Regex("[A-Za-z0-9][A-Za-z0-9._:/@-]*")

internal fun image(example: String) = text("the name of an image", IMAGE_NAME, "write repository:tag, as in $example")

private object DockerKeys : Shape<RunPlace, RunPlace.Docker>("containers", "In containers.") {
    private val docker by key(image(DEFAULT_BASE_IMAGE), "The image to build on, with a java in it.", required = true) {
        it.baseImage
    }

    override fun make(fields: Fields) = fields[docker]?.let(RunPlace::Docker)
}

internal val PLACE = Either(choice(PLACES), DockerKeys, make = DockerKeys::write)

/** What the flags `--in` and `--base-image` make of what the file says. */
internal fun placeOf(written: RunPlace?, overrides: Overrides, problems: Problems): RunPlace? {
    val place = when (val asked = overrides.place) {
        null -> written ?: RunPlace.Process
        RunPlace.Process -> asked
        is RunPlace.Docker -> written as? RunPlace.Docker ?: asked
    }
    val base = overrides.baseImage ?: return place
    val flag = Place("--base-image $base")
    return when {
        place !is RunPlace.Docker -> problems.add(flag, "", "has no effect outside of containers", "add --in docker")
        !IMAGE_NAME.matches(base) -> problems.add(flag, "", "`$base` is not the name of an image", "write repository:tag")
        else -> place.copy(baseImage = base)
    }
}

/** What cannot be put into an image, said at [entry]; for variants that are measured. */
internal fun checkPlace(place: RunPlace?, entry: Entry, read: VariantRead) {
    if (place !is RunPlace.Docker) return
    val form = read.variant.runtime
    if (!form.inImages) {
        entry.problem(
            "`runtime: ${form.word}` cannot be put into an image",
            "in docker there are ${RuntimeForm.entries.filter { it.inImages }.joinToString { it.word }}; leave it out with only",
        )
    }
    when (read.subject.origin) {
        is Origin.Jar -> Unit
        is Origin.Command -> entry.problem("a command cannot be put into an image", "give the jar it starts, or leave out docker")
        is Origin.Url -> entry.problem("a server that already runs is not put into a container", "leave out docker")
    }
}
