# shellcheck shell=sh
# Sourced by ./dyno, ./build, dist/make and the archive's bin/dyno: find_jdk N exports JAVA_HOME of a JDK >= N, or says what to install and exits 2.

jdk_major() {
    # A JDK's release file is read instead of starting its java: 1 ms instead of 50.
    [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" | head -n 1
}

fits() {
    major=$(jdk_major "$1") || return 1
    [ -n "$major" ] && [ "$major" -ge "$2" ]
}

find_jdk() {
    want=$1
    # A service may have no HOME.
    : "${HOME:=/}"
    if [ -n "${JAVA_HOME:-}" ] && fits "$JAVA_HOME" "$want"; then
        export JAVA_HOME
        return 0
    fi
    on_path=$(command -v javac 2>/dev/null || true)
    if [ -n "$on_path" ]; then
        # readlink -f is missing on old macOS; the other folders below still find the JDK there.
        real=$(readlink -f "$on_path" 2>/dev/null || printf '%s' "$on_path")
        home=${real%/bin/javac}
        if fits "$home" "$want"; then
            JAVA_HOME=$home
            export JAVA_HOME
            return 0
        fi
    fi
    for home in \
        "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* \
        /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* /opt/jdk* /opt/*jdk* \
        "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* "$HOME"/.asdf/installs/java/* \
        "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
        /Library/Java/JavaVirtualMachines/*/Contents/Home \
        /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
        /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
        if fits "$home" "$want"; then
            JAVA_HOME=$home
            export JAVA_HOME
            return 0
        fi
    done
    cat >&2 <<TEXT
Boot Dyno needs a JDK $want or newer, and found none in JAVA_HOME, on the PATH, in the usual folders or under SDKMAN.
Install one, for example:
  sdk install java $want-tem            (SDKMAN, any Unix)
  brew install openjdk                  (macOS)
  apt install openjdk-$want-jdk            (Debian, Ubuntu)
or point JAVA_HOME at one. Your own application may go on using another JDK (java: in the experiment file).
TEXT
    exit 2
}
