package bootdyno.measure

import bootdyno.engine.EngineFailed
import bootdyno.model.NetworkShape
import bootdyno.system.ledger.Ledger
import bootdyno.system.ledger.OwnedNamespace
import bootdyno.system.ledger.newName
import bootdyno.system.network.NetworkNamespace
import bootdyno.system.network.PacketTreatment
import bootdyno.system.network.removeNamespace
import bootdyno.system.onFailure

/** The network namespace of the load engines of a run, and the emulated network to it. */
internal class EmulatedNetwork private constructor(private val namespace: NetworkNamespace, private val ledger: Ledger) :
    AutoCloseable {
    private var current = NetworkShape()

    /** The command that runs [words] behind the network. */
    fun inside(words: List<String>): List<String> = namespace.inside(words)

    /** @throws EngineFailed if the kernel refuses it */
    fun shape(network: NetworkShape) {
        if (network == current) return
        orFailed { namespace.treat(PacketTreatment(network.delay, network.jitter, network.loss)) }
        current = network
    }

    override fun close() {
        if (removeNamespace(namespace.name)) ledger.forget(OwnedNamespace(namespace.name))
    }

    companion object {
        /** @throws EngineFailed if the kernel refuses it */
        fun make(ledger: Ledger): EmulatedNetwork {
            val namespace = NetworkNamespace(newName(), NetworkShape.SUBJECT, NetworkShape.GENERATOR)
            orFailed { ledger.add(OwnedNamespace(namespace.name)) }
            val network = EmulatedNetwork(namespace, ledger)
            onFailure(network::close) { orFailed { namespace.make() } }
            return network
        }

        private fun orFailed(action: () -> Unit) = orEngineFailed("The emulated network could not be made", action)
    }
}
