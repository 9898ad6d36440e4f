package bootdyno.engine

import io.netty.channel.Channel
import io.netty.channel.EventLoopGroup
import io.netty.channel.IoHandlerFactory
import io.netty.channel.MultiThreadIoEventLoopGroup
import io.netty.channel.ServerChannel
import io.netty.channel.epoll.Epoll
import io.netty.channel.epoll.EpollIoHandler
import io.netty.channel.epoll.EpollServerSocketChannel
import io.netty.channel.epoll.EpollSocketChannel
import io.netty.channel.nio.NioIoHandler
import io.netty.channel.socket.nio.NioServerSocketChannel
import io.netty.channel.socket.nio.NioSocketChannel
import io.netty.channel.uring.IoUring
import io.netty.channel.uring.IoUringIoHandler
import io.netty.channel.uring.IoUringServerSocketChannel
import io.netty.channel.uring.IoUringSocketChannel
import io.netty.util.concurrent.DefaultThreadFactory

/** Netty's transports; [word] is the name in options and records. */
internal enum class Transport(
    val word: String,
    val client: Class<out Channel>,
    val server: Class<out ServerChannel>,
    private val isAvailable: () -> Boolean,
    private val ioFactory: () -> IoHandlerFactory,
) {
    EPOLL(
        "epoll",
        EpollSocketChannel::class.java,
        EpollServerSocketChannel::class.java,
        Epoll::isAvailable,
        EpollIoHandler::newFactory,
    ),
    IO_URING(
        "io_uring",
        IoUringSocketChannel::class.java,
        IoUringServerSocketChannel::class.java,
        IoUring::isAvailable,
        IoUringIoHandler::newFactory,
    ),
    NIO("nio", NioSocketChannel::class.java, NioServerSocketChannel::class.java, { true }, NioIoHandler::newFactory),
    ;

    fun loops(count: Int, name: String): EventLoopGroup =
        MultiThreadIoEventLoopGroup(count, DefaultThreadFactory(name, true), ioFactory())

    companion object {
        /** System property of an engine's process with the transport to use, if it is available. */
        const val PROPERTY = "dyno.transport"

        /** That of [PROPERTY], otherwise native epoll, otherwise Java NIO. */
        val best: Transport by lazy { best(System.getProperty(PROPERTY)) }

        internal fun best(asked: String?): Transport =
            (entries.filter { it.word == asked } + EPOLL).find { it.isAvailable() } ?: NIO
    }
}
