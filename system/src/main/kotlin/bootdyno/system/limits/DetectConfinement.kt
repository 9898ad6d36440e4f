package bootdyno.system.limits

/** A way to limit, and why it does not work here; null: it works. */
data class ConfinementFound(val confinement: Confinement, val whyNot: String?)

/** Every way this machine could have, best first, each tried for real. For `dyno doctor`. */
fun confinementsHere(): List<ConfinementFound> = confinements().map { ConfinementFound(it, it.whyNot()) }

/** The best way that works here. */
fun detectConfinement(): Confinement = confinements().first { it.whyNot() == null }

private fun confinements(): List<Confinement> {
    val mounts = cgroupMountsHere()
    return listOf(
        CgroupV2(mounts.v2, mounts.v2Top),
        CgroupV1(mounts.v1),
        SystemdScope(user = System.getProperty("user.name") != "root", cgroupTop = mounts.v2Top),
        AffinityAndHeap(),
        Unconfined(),
    )
}
