package bootdyno.launch.docker

import bootdyno.launch.prepare.InstalledNativeImage
import bootdyno.launch.prepare.LONGEST_NATIVE_BUILD
import bootdyno.launch.prepare.MissingHere
import bootdyno.launch.prepare.NATIVE_IMAGE
import bootdyno.launch.prepare.NO_NATIVE_IMAGE
import bootdyno.launch.prepare.NativeImage
import bootdyno.launch.prepare.OR_IN_A_CONTAINER
import bootdyno.launch.prepare.nativeImageHere
import bootdyno.model.PreparationStep
import bootdyno.model.Stage
import bootdyno.system.ledger.Ledger
import bootdyno.system.ownUser
import java.nio.file.Path

/** GraalVM's own image with the oldest C library (glibc 2.28), so that its executables run on most systems. */
const val NATIVE_BUILDER = "ghcr.io/graalvm/native-image-community:25-ol8"

/** Overrides [NATIVE_BUILDER]. */
const val NATIVE_BUILDER_VARIABLE = "BOOT_DYNO_NATIVE_BUILDER"

/** The image for native-image if none is installed. */
fun nativeBuilder(): String = System.getenv(NATIVE_BUILDER_VARIABLE)?.takeIf { it.isNotBlank() } ?: NATIVE_BUILDER

/**
 * The [installed] native-image, otherwise the one in the image [builder], which is pulled if missing; [say] is told. Throws [MissingHere]
 * without either, with advice.
 */
fun findNativeImage(
    ledger: Ledger,
    say: (String) -> Unit,
    installed: Path? = nativeImageHere(),
    cli: DockerCli? = DockerCli.found(),
    builder: String = nativeBuilder(),
): NativeImage {
    installed?.let { return InstalledNativeImage(it, ledger) }
    if (cli == null || whyNoDocker(cli) != null) throw MissingHere("$NO_NATIVE_IMAGE $OR_IN_A_CONTAINER")
    cli.fetch(builder, "the image of native-image", say)?.let { throw MissingHere("$NO_NATIVE_IMAGE $it") }
    return NativeImageInContainer(Containers(cli, ledger, Stage.PREPARE), builder)
}

/** native-image in a container of [image]. Folders have the same paths inside and outside. */
private class NativeImageInContainer(private val containers: Containers, private val image: String) : NativeImage {
    override val name = image

    override fun build(what: String, arguments: List<String>, reads: Path, writes: Path, log: Path): PreparationStep {
        val flags = listOfNotNull(ownUser()?.let { "--user=$it" }, "--network=none", "--env=HOME=/tmp", "--workdir=$writes") +
            listOf("--volume=$reads:$reads:ro", "--volume=$writes:$writes", "--security-opt=label=disable") +
            "--entrypoint=$NATIVE_IMAGE"
        return containers.step(NATIVE_IMAGE, "$what in a container of $image", image, flags, arguments, LONGEST_NATIVE_BUILD, log)
    }
}
