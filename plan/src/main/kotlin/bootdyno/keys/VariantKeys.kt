package bootdyno.keys

import bootdyno.model.RuntimeForm
import bootdyno.model.Subject
import bootdyno.model.Variant
import bootdyno.yaml.Either
import bootdyno.yaml.FILE
import bootdyno.yaml.OpenShape
import bootdyno.yaml.TEXT
import bootdyno.yaml.TEXTS
import bootdyno.yaml.TEXTS_BY_NAME
import bootdyno.yaml.Unread
import bootdyno.yaml.choice

internal object VariantKeys : OpenShape<VariantRead>("variant", "Subject in one configuration.") {
    val subject by key(
        Unread(Either<Any, Subject>(TEXT, SubjectKeys) { if (it.inPlace) SubjectKeys.write(it) else TEXT.write(it.name) }),
        "Name of a built-in subject, or your own application.",
        required = true,
    ) { it.subject }
    val settings by key(TEXTS_BY_NAME, "Application properties: `spring.threads.virtual.enabled: true`.") { it.variant.settings }
    val jvm by key(TEXTS, "JVM flags in order.") { it.variant.jvm }
    val env by key(TEXTS_BY_NAME, "Environment variables of the application.") { it.variant.environment }
    val java by key(
        TEXT,
        "Version of a JDK on this machine, or a path; by default the JVM of Boot Dyno. In a container: a path in its image.",
    ) { it.variant.java }
    val runtime by key(choice<RuntimeForm>(), "[Form](#runtimes) in which the jar runs. Not for services.", RuntimeForm.JAR) {
        it.variant.runtime.takeIf { form -> form != RuntimeForm.JAR }
    }
    val workingDirectory by key(FILE, "Working directory, relative to this file; by default a new, empty folder.") {
        it.variant.workingDirectory
    }
    val limits by key(LimitsKeys, "Limits of this variant; those that it leaves out are the experiment's. Not for services.") {
        it.variant.limits
    }
}

/** A variant with the subject it names or declares. */
internal data class VariantRead(val variant: Variant, val subject: Subject)
