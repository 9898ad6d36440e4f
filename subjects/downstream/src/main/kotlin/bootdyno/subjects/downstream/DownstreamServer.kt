package bootdyno.subjects.downstream

import io.netty.bootstrap.ServerBootstrap
import io.netty.channel.Channel
import io.netty.channel.ChannelInitializer
import io.netty.channel.ChannelOption
import io.netty.channel.EventLoopGroup
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.epoll.Epoll
import io.netty.channel.epoll.EpollIoHandler
import io.netty.channel.epoll.EpollServerSocketChannel
import io.netty.channel.group.ChannelGroup
import io.netty.channel.group.DefaultChannelGroup
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioServerSocketChannel
import io.netty.handler.codec.http.HttpServerCodec
import io.netty.handler.codec.http.HttpServerKeepAliveHandler
import java.net.InetAddress
import java.net.InetSocketAddress
import java.util.SplittableRandom
import java.util.concurrent.TimeUnit

/**
 * The slow server on loopback: `GET /slow` is answered after a random delay, `/counts` returns its counts.
 *
 * One event loop does everything. A waiting request is a timer of that loop, so that any number of them needs memory and nearly no CPU.
 * Delays are drawn in the order of arrival from one seeded sequence, so equal arrivals have equal delays.
 */
class DownstreamServer private constructor(
    private val loop: EventLoopGroup,
    private val listening: Channel,
    private val connections: ChannelGroup,
) : AutoCloseable {
    val port: Int get() = (listening.localAddress() as InetSocketAddress).port

    /**
     * Closes all connections and ends the server. The end of its loop alone would not: Netty 4.2 leaves channels open where the loop is
     * told to end while it runs a task.
     */
    override fun close() {
        listening.close().syncUninterruptibly()
        connections.close().awaitUninterruptibly()
        loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly()
    }

    companion object {
        /** Requested size of the accept queue; the kernel's `somaxconn` may be less. */
        private const val BACKLOG = 16_384

        /** Listens on the port of [settings]; 0 is any free one. */
        fun start(settings: Settings = Settings()): DownstreamServer {
            val native = Epoll.isAvailable()
            val loop = MultiThreadIoEventLoopGroup(1, if (native) EpollIoHandler.newFactory() else NioIoHandler.newFactory())
            val random = SplittableRandom(settings.seed)
            val counts = Counts()
            val places = Places(settings.atOnce, settings.refuses)
            val connections = DefaultChannelGroup(loop.next(), true)
            val bootstrap = ServerBootstrap().group(loop)
                .channel(if (native) EpollServerSocketChannel::class.java else NioServerSocketChannel::class.java)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(
                    object : ChannelInitializer<Channel>() {
                        override fun initChannel(channel: Channel) {
                            connections.add(channel)
                            channel.pipeline().addLast(
                                HttpServerCodec(),
                                HttpServerKeepAliveHandler(),
                                SlowConnection(settings.waiting, random, counts, places),
                            )
                        }
                    },
                )
            try {
                return DownstreamServer(
                    loop,
                    bootstrap.bind(InetAddress.getLoopbackAddress(), settings.port).sync().channel(),
                    connections,
                )
            } catch (failure: Throwable) {
                loop.shutdownGracefully(0, 0, TimeUnit.SECONDS)
                throw failure
            }
        }
    }
}
