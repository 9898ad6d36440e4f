package bootdyno.engine.netty

import io.netty.channel.ChannelHandlerContext
import io.netty.handler.codec.http2.Http2FrameAdapter
import io.netty.handler.codec.http2.Http2Headers

/** Listens to frames. Priorities of headers, which RFC 9113 (section 5.3) deprecates, are ignored. */
abstract class Http2Frames : Http2FrameAdapter() {
    final override fun onHeadersRead(
        context: ChannelHandlerContext,
        id: Int,
        headers: Http2Headers,
        dependency: Int,
        weight: Short,
        exclusive: Boolean,
        padding: Int,
        isEnd: Boolean,
    ) = onHeadersRead(context, id, headers, padding, isEnd)
}
