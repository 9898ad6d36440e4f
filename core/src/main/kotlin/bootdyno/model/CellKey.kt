package bootdyno.model

/**
 * What tells a cell from the others of its experiment: its variant, its workload, its load, and the way it is measured, which is protocol
 * and engine. Cells that are the same but for one of these are those with equal keys without it.
 */
data class CellKey(
    val variant: String,
    /** With its value, where it is swept. */
    val workload: String,
    /** As declared; with [load] it is the load. */
    val profile: String,
    /** The value of a swept load. */
    val load: AxisPoint?,
    /** Null: whatever it is. */
    val protocol: MeasuringProtocol?,
    /** Null: whatever it is. */
    val engine: EngineSpec?,
) {
    constructor(variant: String, workload: Workload, profile: NamedProfile) :
        this(variant, workload.name, profile.declared, profile.point, profile.protocol, profile.engine)

    val inAnyProtocol: CellKey get() = copy(protocol = null)
    val byAnyEngine: CellKey get() = copy(engine = null)
    val inAnyWay: CellKey get() = copy(protocol = null, engine = null)

    /** `saturate+connections=50` */
    val profileAtValue: String get() = load?.named ?: profile

    /** The cell's name without protocol and engine; [among] are the names of all profiles, of which one need not be said. */
    fun nameAmong(among: Collection<String>): String =
        "$variant/$workload" + if (among.distinct().size > 1) "@$profileAtValue" else ""
}
