# shellcheck shell=sh
# Sourced by ./dyno, the archive's bin/dyno and dist/make: how the lab is started.

# The lab waits and draws: the small compiler and collector leave the CPUs to what is measured.
flags="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx768m -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8"
# The load engine is started with this, too, and a cache serves those only that were started as it was trained.
flags="$flags --enable-native-access=ALL-UNNAMED"
# A JVM with two collectors does not start: the shell's own is left to it.
case " ${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-}" in *" -XX:+Use"*GC*) flags=${flags#* } ;; esac

# train JAVA HOME JAR CACHE makes the JDK's ahead-of-time cache CACHE. It makes a start three times as fast. It may not be older than the jar.
train() {
    # shellcheck disable=SC2086  # flags are words
    "$1" $flags "-XX:AOTCacheOutput=$4" "-Ddyno.home=$2" -cp "$3" bootdyno.cli.TrainingMainKt >/dev/null 2>&1 || true
}

# needs_kubernetes WORD... tells whether the words of a command line need the Kubernetes part, which is a program of its own with its client.
needs_kubernetes() {
    case " $* " in *" --on kubernetes "* | *" --on=kubernetes "*) return 0 ;; esac
    [ "${1:-}" = resume ] && [ -f "${2:-}/kubernetes.json" ]
}

# launch COMMAND JAVA HOME CACHE WORD... becomes Boot Dyno, which its user starts as COMMAND; the WORDs name the jar and the arguments.
launch() {
    command=$1 java=$2 home=$3 cache=$4
    shift 4
    stderr_tty=false
    if [ -t 2 ]; then stderr_tty=true; fi
    aot=
    if [ -s "$cache" ]; then aot=$cache; fi
    # shellcheck disable=SC2086  # flags are words
    exec "$java" $flags ${aot:+"-XX:AOTCache=$aot" "-Ddyno.aot=$aot"} -Xlog:disable -Xlog:all=error:stderr \
        -Dorg.slf4j.simpleLogger.defaultLogLevel=warn "-Ddyno.command=$command" "-Ddyno.home=$home" "-Ddyno.stderr.tty=$stderr_tty" "$@"
}
