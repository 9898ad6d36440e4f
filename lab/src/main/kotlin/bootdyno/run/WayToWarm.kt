package bootdyno.run

/** How a subject is brought to its steady state (docs/method.md, "Warm-up"). [method] is the record's word for it. */
enum class WayToWarm(val method: String) {
    /** The compiler's threads go first, on lent CPUs too; a quota is lifted. Without the permission it becomes [LOAD_AND_REST]. */
    FAVOURED("certified, compiler favoured"),

    /** Load, then a rest in which no request thread wants the CPU. */
    LOAD_AND_REST("certified, load and rest"),

    /** Load without a pause: what people do by hand. C2 idle in a slice may be C2 starved. For comparison only. */
    SATURATE("certified, saturating load alone"),
}
