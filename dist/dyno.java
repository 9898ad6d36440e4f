///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVA 17+

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** For JBang: installs the newest release of Boot Dyno, unless one is installed, and starts it. */
class dyno {
    private static final Path PROGRAM = Path.of(System.getProperty("user.home"), ".local", "bin", "dyno");

    /** install.sh reads the same variable. */
    private static final String INSTALL =
        "curl -fsSL \"${BOOT_DYNO_URL:-https://github.com/OWNER/boot-dyno/releases/latest/download}/install.sh\" | sh >&2";

    public static void main(String... arguments) throws IOException, InterruptedException {
        int code = Files.isExecutable(PROGRAM) ? 0 : run(Stream.of("sh", "-c", INSTALL).toList());
        if (code == 0) code = run(Stream.concat(Stream.of(PROGRAM.toString()), Stream.of(arguments)).toList());
        System.exit(code);
    }

    private static int run(List<String> words) throws IOException, InterruptedException {
        return new ProcessBuilder(words).inheritIO().start().waitFor();
    }
}
