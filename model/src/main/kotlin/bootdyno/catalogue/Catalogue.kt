package bootdyno.catalogue

/**
 * All that Boot Dyno knows of limited resources. A new one is an entry here: it is then read of a subject, found in thread dumps, named in
 * reports, given an advice, predicted, and named by `--vary`.
 */
val CATALOGUE: List<KnownResource> = CONNECTION_POOLS + SERVERS + EXECUTORS + LIMITERS

/** The entry with the setting [key]; null without one. */
fun settingOf(key: String): SizeSetting? = CATALOGUE.firstNotNullOfOrNull { entry -> entry.setting?.takeIf { it.key == key } }

/** The application properties whose values can be changed while the application runs, with the entry that says how. */
val CHANGED_WHILE_RUNNING: Map<String, KnownResource> = CATALOGUE.filter { it.beans?.whileRunning != null }
    .mapNotNull { entry -> entry.setting?.takeUnless { it.isSystemProperty }?.let { it.key to entry } }.toMap()
