package bootdyno.launch

import bootdyno.launch.http.VerificationClient
import bootdyno.model.Workload
import java.net.URI
import kotlin.time.Duration.Companion.seconds

/** The response times of [workload], verified at [base]. */
internal fun verified(base: URI, workload: Workload): List<Double> =
    Answers(CheckedSubject(VerificationClient(base), { emptyList() }, { null })).use { it.verify(workload, 10.seconds) }
