# shellcheck shell=sh
# Sourced by ./dyno, ./build and build-parts: building replaces the jars a measurement runs from, and spoils its figures besides.

# measuring_pid HERE prints the pid of the measurement that runs from this checkout, if one does.
measuring_pid() {
    [ -r "$1/.dyno/measuring" ] || return 1
    pid=$(cat "$1/.dyno/measuring")
    case $(ps -p "$pid" -o args= 2>/dev/null) in *dyno.jar*) echo "$pid" ;; *) return 1 ;; esac
}

# leave_measuring HERE exits 2 when a measurement runs from this checkout, unless it is the one that started this script for a part that it needs.
leave_measuring() {
    if pid=$(measuring_pid "$1") && [ "$pid" != "$PPID" ]; then
        echo "A measurement is running from this checkout (pid $pid), and building would spoil it. Wait for it to end, or use another clone." >&2
        exit 2
    fi
}
