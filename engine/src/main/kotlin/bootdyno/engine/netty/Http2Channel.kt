package bootdyno.engine.netty

import bootdyno.model.ErrorCause
import io.netty.buffer.ByteBuf
import io.netty.channel.Channel
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelInboundHandlerAdapter
import io.netty.channel.ChannelInitializer
import io.netty.handler.codec.http2.Http2ConnectionAdapter
import io.netty.handler.codec.http2.Http2ConnectionHandler
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder
import io.netty.handler.codec.http2.Http2Error
import io.netty.handler.codec.http2.Http2Headers
import io.netty.handler.codec.http2.Http2Settings
import io.netty.handler.codec.http2.Http2Stream
import io.netty.util.collection.IntObjectHashMap
import java.net.ProtocolException
import javax.net.ssl.SSLException

/** The connections of HTTP/2 of one event loop, each with up to [capacity] slots. */
internal class Http2Channels(private val worker: Worker, private val scheme: String, private val capacity: Int) {
    /** Those that may have room; the others are known to their slots. */
    private val roomy = ArrayList<Http2Channel>()

    fun attach(slot: Http2Slot) {
        roomy.removeAll { !it.hasRoom }
        val channel = roomy.firstOrNull() ?: Http2Channel(worker, this, scheme, capacity).also(roomy::add)
        channel.attach(slot)
    }

    /** [channel] has lost a slot, so that another may take its place. */
    fun hasRoom(channel: Http2Channel) {
        if (channel.hasRoom && channel !in roomy) roomy.add(channel)
    }
}

/**
 * One connection of HTTP/2 and the slots that share it. It is open when the server's SETTINGS are there, which may allow fewer streams than
 * it has slots: the others get another connection. After a GOAWAY it takes no new requests, and closes with its last slot.
 */
internal class Http2Channel(
    private val worker: Worker,
    private val all: Http2Channels,
    private val scheme: String,
    private var capacity: Int,
) {
    private val slots = LinkedHashSet<Http2Slot>()
    private val streams = IntObjectHashMap<Http2Slot>()
    private val handler: Http2ConnectionHandler = Http2ConnectionHandlerBuilder().server(false).frameListener(Frames())
        .initialSettings(Http2Settings().pushEnabled(false).initialWindowSize(WINDOW)).gracefulShutdownTimeoutMillis(0).build()
    private val connection = handler.connection().apply { addListener(Streams()) }
    private var channel: Channel? = null
    private var context: ChannelHandlerContext? = null
    private var begun = false
    private var isOpen = false

    /** Why streams without a complete response are closed; null: by the end of the channel, or an invalid frame. */
    private var cause: ErrorCause? = null
    private val causeOfEnd: ErrorCause
        get() = cause ?: if (channel?.isActive == false) ErrorCause.CLOSED else ErrorCause.PROTOCOL

    /** The last stream that the server has processed, as its graceful GOAWAY says. */
    private var lastProcessed = Int.MAX_VALUE

    /** Whether it takes no new requests. */
    var isRetired = false
        private set

    val hasRoom: Boolean get() = !isRetired && slots.size < capacity

    fun attach(slot: Http2Slot) {
        slots.add(slot)
        slot.channel = this
        when {
            isOpen -> slot.opened(isNew = false)
            !begun -> begin()
        }
    }

    private fun begin() {
        begun = true
        val opening = worker.open(Pipeline())
        channel = opening.channel
        // Success is not yet all: SETTINGS follow.
        val ended = { opening.ready.cause()?.let(::refuse) }
        if (opening.ready.isDone) ended() else opening.ready.addListener { ended() }
    }

    private fun refuse(failure: Throwable) {
        isRetired = true
        channel?.close()
        slots.toList().forEach { it.notOpened(failure) }
    }

    fun send(slot: Http2Slot, request: ByteBuf) {
        val context = this.context
        val headers = http2Headers(request, scheme)
        val hasBody = request.isReadable
        val id = connection.local().incrementAndGetNextStreamId()
        if (id >= LAST_STREAM) isRetired = true
        if (context == null || id < 0) {
            request.release()
            return slot.closed(ErrorCause.CLOSED)
        }
        slot.stream = id
        streams.put(id, slot)
        handler.encoder().writeHeaders(context, id, headers, 0, !hasBody, context.newPromise())
        if (connection.stream(id) == null) {
            request.release()
            if (streams.remove(id) != null) slot.lost(causeOfEnd)
            return
        }
        if (hasBody) handler.encoder().writeData(context, id, request, 0, true, context.newPromise()) else request.release()
        handler.flush(context)
    }

    /** The server has not processed the request of [slot], which therefore may be sent again (RFC 9113, section 6.8). */
    private fun again(slot: Http2Slot) {
        slot.stream = 0
        slots.remove(slot)
        all.attach(slot)
    }

    private fun Http2Slot.lost(cause: ErrorCause) {
        stream = 0
        closed(cause)
    }

    /** Takes [slot] off, and resets its stream if it has one. */
    fun detach(slot: Http2Slot) {
        slots.remove(slot)
        val id = slot.stream
        slot.stream = 0
        if (id != 0 && streams.remove(id) != null) {
            context?.let {
                handler.resetStream(it, id, Http2Error.CANCEL.code(), it.newPromise())
                handler.flush(it)
            }
        }
        if (slots.isEmpty()) close() else all.hasRoom(this)
    }

    private fun close() {
        isRetired = true
        channel?.close()
    }

    private fun settled(context: ChannelHandlerContext, settings: Http2Settings) {
        settings.maxConcurrentStreams()?.let { capacity = minOf(capacity.toLong(), it).toInt().coerceAtLeast(1) }
        if (isOpen) return
        isOpen = true
        val flow = connection.local().flowController()
        flow.incrementWindowSize(connection.connectionStream(), WINDOW - flow.windowSize(connection.connectionStream()))
        handler.flush(context)
        val excess = slots.drop(capacity)
        slots.removeAll(excess.toSet())
        // Each may leave meanwhile, and with the last one the connection.
        slots.toList().forEachIndexed { i, slot -> slot.opened(isNew = i == 0) }
        excess.forEach(all::attach)
    }

    private fun ended(id: Int) {
        streams.get(id)?.end()
    }

    private inner class Pipeline : ChannelInitializer<Channel>() {
        override fun initChannel(channel: Channel) {
            channel.pipeline().addLast(handler, Ends())
            context = channel.pipeline().context(handler)
        }
    }

    /** What HTTP/2 makes of the connection's end. */
    private inner class Ends : ChannelInboundHandlerAdapter() {
        override fun channelInactive(channelContext: ChannelHandlerContext) {
            isRetired = true
            if (!isOpen && slots.isNotEmpty()) refuse(ProtocolException("no SETTINGS came: the server does not speak HTTP/2"))
            slots.toList().forEach { if (!it.inUse) it.leave() }
        }

        @Deprecated("Netty's own word for it")
        override fun exceptionCaught(channelContext: ChannelHandlerContext, failure: Throwable) {
            val broken = connectionFailure(failure) ?: return worker.broke(failure)
            cause = cause ?: if (broken is SSLException) ErrorCause.PROTOCOL else ErrorCause.RESET
            channelContext.close()
        }
    }

    private inner class Streams : Http2ConnectionAdapter() {
        override fun onStreamClosed(stream: Http2Stream) {
            // Netty only logs what a listener throws.
            worker.guarded {
                val slot = streams.remove(stream.id()) ?: return@guarded
                if (stream.id() <= lastProcessed) slot.lost(causeOfEnd) else again(slot)
            }
        }

        /** Streams that the server will not serve are closed next; the others go on. */
        override fun onGoAwayReceived(lastStreamId: Int, errorCode: Long, debugData: ByteBuf) {
            isRetired = true
            cause = cause ?: ErrorCause.CLOSED
            if (errorCode == Http2Error.NO_ERROR.code()) lastProcessed = lastStreamId
            slots.toList().forEach { if (!it.inUse) it.leave() }
        }

        override fun onGoAwaySent(lastStreamId: Int, errorCode: Long, debugData: ByteBuf) {
            isRetired = true
            if (errorCode != Http2Error.NO_ERROR.code()) cause = cause ?: ErrorCause.PROTOCOL
        }
    }

    private inner class Frames : Http2Frames() {
        override fun onSettingsRead(context: ChannelHandlerContext, settings: Http2Settings) =
            worker.guarded { settled(context, settings) }

        override fun onHeadersRead(
            context: ChannelHandlerContext,
            id: Int,
            headers: Http2Headers,
            padding: Int,
            isEnd: Boolean,
        ) {
            streams.get(id)?.head(headers)
            if (isEnd) ended(id)
        }

        override fun onDataRead(context: ChannelHandlerContext, id: Int, data: ByteBuf, padding: Int, isEnd: Boolean): Int {
            streams.get(id)?.body(data)
            if (isEnd) ended(id)
            return data.readableBytes() + padding
        }

        override fun onRstStreamRead(context: ChannelHandlerContext, id: Int, errorCode: Long) {
            streams.get(id)?.reset()
        }
    }
}

/** Of streams and connections: what h2load takes (2^30 − 1), so that the client's window does not slow the server down. */
private const val WINDOW = (1 shl 30) - 1

/** Stream numbers end at 2^31 − 1; before, the connection is replaced. */
private const val LAST_STREAM = Int.MAX_VALUE - 1_000_000
