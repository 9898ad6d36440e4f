package bootdyno.plan

import bootdyno.model.AxisPoint

/**
 * Values that are swept: each of [texts] makes one workload or one profile of what was declared once.
 *
 * They are numbers above 0, since reports draw them on a logarithmic axis.
 */
internal data class Axis(val name: String, val texts: List<String>) {
    fun point(declared: String, index: Int) = AxisPoint(declared, name, texts[index].toDouble())
}

/** `cpu0+limit=1000`: what a declaration is called at one value of its axis. */
internal fun pointName(declared: String, axis: String, text: String) = "$declared+$axis=$text"
