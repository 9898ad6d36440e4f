package bootdyno.explain

import bootdyno.catalogue.KnownResource
import bootdyno.catalogue.ResourceKind
import bootdyno.model.exact
import bootdyno.occupancy.Resource

/** A limit as sentences name it: `10 HikariCP connections`, `1 CPU`, `monitor of Orders in Orders.find`. */
data class LimitName(val text: String, private val isPlural: Boolean = false) {
    /** [verb] after this name: `allow` after `200 Tomcat threads`, `allows` after `1 CPU`. */
    fun verb(verb: String): String = if (isPlural) verb else verb + "s"

    override fun toString(): String = text
}

/** Units of a limit: [several] `Tomcat threads`, of which [one] is a `thread`. Null for what has no units, as a lock: [several] is its name then. */
internal data class Units(val several: String, val one: String?) {
    /** Without their name, where that has just been said: `threads`. */
    val short: Units get() = if (one == null) this else Units("${one}s", one)

    /** Of unknown number. */
    val uncounted: LimitName get() = LimitName(several, isPlural = one != null)

    /** `200 Tomcat threads`, `1 Tomcat thread`. */
    fun counted(number: Double): LimitName {
        val words = if (number == 1.0 && one != null) several.replaceFirst("${one}s", one) else several
        return LimitName("${exact(number)} $words", isPlural = number != 1.0)
    }

    fun counted(number: Int): LimitName = counted(number.toDouble())
}

internal val CLIENTS = Units("client connections", ResourceKind.LOAD_CONNECTIONS.unit)

internal val KnownResource.units: Units get() = Units(noun, unit)

internal val Resource.units: Units get() = units(noun, kind, entry)

/** [noun]: in the plural. */
internal fun units(noun: String, kind: ResourceKind, entry: KnownResource?) = Units(noun, entry?.unit ?: kind.unit)

/** With its number of units. A monitor and a rate limiter are known by the method in which requests wait. */
internal val Resource.name: LimitName
    get() {
        val units = size?.takeUnless { kind.isLock }?.let(units::counted) ?: units.uncounted
        val method = waitingIn?.takeIf { kind in NAMELESS } ?: return units
        return units.copy(text = "$units in ${method.copy(line = null)}")
    }

private val NAMELESS = setOf(ResourceKind.MONITOR, ResourceKind.RATE_LIMITER)
