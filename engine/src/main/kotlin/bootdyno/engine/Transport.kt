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
import io.netty.util.concurrent.DefaultThreadFactory

/** Netty's transport: native epoll if available, otherwise Java NIO. */
internal enum class Transport(
    val client: Class<out Channel>,
    val server: Class<out ServerChannel>,
    private val ioFactory: () -> IoHandlerFactory,
) {
    EPOLL(EpollSocketChannel::class.java, EpollServerSocketChannel::class.java, { EpollIoHandler.newFactory() }),
    NIO(NioSocketChannel::class.java, NioServerSocketChannel::class.java, { NioIoHandler.newFactory() }),
    ;

    fun loops(count: Int, name: String): EventLoopGroup =
        MultiThreadIoEventLoopGroup(count, DefaultThreadFactory(name, true), ioFactory())

    companion object {
        val best: Transport by lazy { if (Epoll.isAvailable()) EPOLL else NIO }
    }
}
