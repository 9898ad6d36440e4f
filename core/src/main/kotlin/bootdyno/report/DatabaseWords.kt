package bootdyno.report

import bootdyno.model.Database
import bootdyno.model.DatabaseFound
import bootdyno.model.TrialFacts
import bootdyno.model.listed

/** `PostgreSQL 18.1 of our own, on CPU 0 beside the load engine`; null where an experiment has none. */
internal fun databaseWords(report: Report): String? {
    val database = report.experiment.database ?: return null
    val trials = report.analysis.run.trials
    val found = databaseFound(trials)
    val name = listOfNotNull("PostgreSQL", found?.version).joinToString(" ")
    return when (database) {
        is Database.Embedded -> "$name of our own" + found?.cpuList?.let { onCpus(it, trials) }.orEmpty()

        is Database.Container ->
            "$name in a container of ${database.image}" +
                found?.cpuList?.let { onCpus(it, trials) }.orEmpty()

        is Database.Server -> "$name at ${found?.address ?: database.url}"
    }
}

internal fun databaseFound(trials: List<TrialFacts>): DatabaseFound? = trials.firstNotNullOfOrNull { it.record.database }

private fun onCpus(cpuList: String, trials: List<TrialFacts>) = ", on CPU $cpuList" + beside(cpuList, trials)

private fun beside(cpuList: String, trials: List<TrialFacts>): String {
    val limits = trials.firstNotNullOfOrNull { it.record.limits }
    val others = listOfNotNull(
        "the subject".takeIf { limits?.cpuList == cpuList },
        "the load engine".takeIf { limits?.engineCpuList == cpuList },
    )
    return if (others.isEmpty()) "" else " beside ${listed(others)}"
}
