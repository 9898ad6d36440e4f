package bootdyno.explain

import bootdyno.model.exact

/** `1 CPU`, `2 CPUs`. */
internal fun cpusWords(cpus: Double): String = "${exact(cpus)} ${if (cpus == 1.0) "CPU" else "CPUs"}"
