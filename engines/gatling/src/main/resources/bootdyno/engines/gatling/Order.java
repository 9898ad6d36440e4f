package dyno;

import bootdyno.engines.gatling.ChainScript;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;

/** What the lab wants, as it wrote it into the file that the system property dyno.order names. Times are milliseconds there. */
final class Order {
    final String profile;
    final int users;
    final int requestsEach;
    final double perSecond;
    final boolean shared;
    final String base;
    final Duration timeout;
    final Duration settle;
    final Duration length;
    final Duration limit;
    final Duration warm;
    final int warmUsers;

    /** What each user asks for, again and again. */
    final ChainScript chain;

    /** When nobody asks any more, nanoTime; 0 until the first user of the load asks. */
    private final AtomicLong end = new AtomicLong();

    private Order(Properties told) {
        profile = told.getProperty("profile");
        users = Integer.parseInt(told.getProperty("users", "0"));
        requestsEach = Integer.parseInt(told.getProperty("requestsEach", "-1"));
        perSecond = Double.parseDouble(told.getProperty("perSecond", "0"));
        shared = Boolean.parseBoolean(told.getProperty("shared"));
        base = told.getProperty("base");
        timeout = millis(told, "timeout");
        settle = millis(told, "settle");
        length = millis(told, "length");
        limit = millis(told, "limit");
        warm = millis(told, "warm");
        warmUsers = Integer.parseInt(told.getProperty("warmUsers"));
        chain = ChainScript.read(Path.of(told.getProperty("chain")));
    }

    static Order read() {
        Properties told = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(System.getProperty("dyno.order")))) {
            told.load(reader);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return new Order(told);
    }

    /** Gatling injects by whole seconds; the users of a part of one too many find that it is over. */
    Duration wholeSeconds() {
        return Duration.ofSeconds((length.toMillis() + 999) / 1000);
    }

    /** The first call says that it begins, to the lab as well. */
    boolean isOver() {
        long now = System.nanoTime();
        if (end.get() == 0 && end.compareAndSet(0, now + length.toNanos())) {
            System.out.println("dyno: sending since " + System.currentTimeMillis());
        }
        return now - end.get() >= 0;
    }

    /** Starts a server in this very process that answers as the first step expects. Returns where to ask it. */
    String startWarmServer() {
        String contentType = chain.contentType(0);
        int status = chain.status(0);
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
            server.createContext("/", exchange -> {
                exchange.getRequestBody().readAllBytes();
                if (contentType != null) {
                    exchange.getResponseHeaders().set("Content-Type", contentType);
                }
                boolean bodiless = status == 204 || status == 304;
                byte[] answer = bodiless ? new byte[0] : chain.expectedBody(0);
                exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
                if (answer.length > 0) {
                    exchange.getResponseBody().write(answer);
                }
                exchange.close();
            });
            server.start();
            return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** text/plain fits text/plain;charset=UTF-8; an expectation with a parameter must fit to the end. */
    static boolean isOfType(String type, String wanted) {
        String given = type.trim().toLowerCase(Locale.ROOT);
        String expected = wanted.toLowerCase(Locale.ROOT);
        return given.startsWith(expected)
                && (given.length() == expected.length() || "; \t".indexOf(given.charAt(expected.length())) >= 0);
    }

    private static Duration millis(Properties told, String name) {
        return Duration.ofMillis(Long.parseLong(told.getProperty(name)));
    }
}
