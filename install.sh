#!/bin/sh
# Installs Boot Dyno for the current user, without root:
#   curl -fsSL https://github.com/OWNER/boot-dyno/releases/latest/download/install.sh | sh
# Again, it installs a newer release beside the older one. Variables:
#   BOOT_DYNO_URL   the address of a release's files; https://, http:// or file://
#   XDG_DATA_HOME   the release is unpacked into its folder boot-dyno; default ~/.local/share
set -eu

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

platform() {
    case $(uname -s) in
        Linux) system=linux ;;
        Darwin) system=macos ;;
        *) fail "Boot Dyno has no release for $(uname -s), only for Linux and macOS." "Use a container, or build it: ./build dist" ;;
    esac
    case $(uname -m) in
        x86_64 | amd64) processor=x64 ;;
        aarch64 | arm64) processor=arm64 ;;
        *) fail "Boot Dyno has no release for $(uname -m), only for x86_64 and arm64." ;;
    esac
    if [ "$system" = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1 && ! ls /lib*/ld-linux* >/dev/null 2>&1; then
        fail "Boot Dyno needs glibc, and this Linux has musl only." "Use the container image, or a Linux with glibc."
    fi
    echo "$system-$processor"
}

# fetch NAME FILE: one file of the release, complete or not at all.
fetch() {
    case $url in
        file://*) cp "${url#file://}/$1" "$2" ;;
        *)
            if command -v curl >/dev/null 2>&1; then
                curl -fsSL --retry 2 -o "$2" "$url/$1"
            elif command -v wget >/dev/null 2>&1; then
                wget -q -O "$2" "$url/$1"
            else
                fail "Neither curl nor wget is here to download Boot Dyno. Install one of them."
            fi
            ;;
    esac || fail "$url/$1 could not be downloaded." "Nothing was installed. Check the address and the network, and try again."
}

sha256() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum "$1"
    else
        shasum -a 256 "$1"
    fi | cut -d ' ' -f 1
}

# made FOLDER
made() {
    if ! mkdir -p "$1" 2>/dev/null || [ ! -w "$1" ]; then
        fail "The folder $1 cannot be written to." "Nothing was installed. Make it writable, or set XDG_DATA_HOME and HOME to others."
    fi
}

# link TARGET LINK, which may be there as a link into our folder.
link() {
    case $(readlink "$2" 2>/dev/null || true) in
        "$data"/*) ;;
        *)
            if [ -e "$2" ] || [ -L "$2" ]; then
                fail "$2 is there, and is not a link of Boot Dyno's. Remove it and install again, or start $1."
            fi
            ;;
    esac
    ln -sfn "$1" "$2"
}

main() {
    url=${BOOT_DYNO_URL:-https://github.com/OWNER/boot-dyno/releases/latest/download}
    url=${url%/}
    data=${XDG_DATA_HOME:-$HOME/.local/share}/boot-dyno
    bin=$HOME/.local/bin
    here=$(platform)
    made "$data"
    made "$bin"

    # On the same file system, so that the release appears complete, by a rename, or not at all.
    fresh=$(mktemp -d "$data/.install-XXXXXX")
    trap 'rm -rf "$fresh"' EXIT
    trap 'exit 130' INT TERM HUP

    fetch checksums_sha256.txt "$fresh/checksums"
    line=$(grep "boot-dyno-.*-$here\.tar\.gz\$" "$fresh/checksums" | head -n 1)
    if [ -z "$line" ]; then fail "The release at $url has no archive for $here." "Nothing was installed."; fi
    expected=${line%% *}
    archive=${line##* }
    archive=${archive#\*}
    version=${archive#boot-dyno-}
    version=${version%-"$here".tar.gz}
    case $version in '' | */* | .*) fail "$url/checksums_sha256.txt is damaged: $line" ;; esac

    if [ -d "$data/$version" ]; then
        echo "Boot Dyno $version is installed already. To install it again, remove $data/$version first."
    else
        echo "Downloading Boot Dyno $version for $here from $url …"
        fetch "$archive" "$fresh/archive"
        found=$(sha256 "$fresh/archive")
        if [ "$found" != "$expected" ]; then
            fail "$url/$archive is damaged: its SHA-256 is ${found:-unknown}, and should be $expected." "Nothing was installed. Try again."
        fi
        mkdir "$fresh/unpacked"
        tar -C "$fresh/unpacked" -xzof "$fresh/archive" || fail "$archive could not be unpacked. Nothing was installed."
        mv "$fresh/unpacked/${archive%.tar.gz}" "$data/$version"
        echo "Boot Dyno $version is in $data/$version."
    fi

    link "$data/$version/bin/dyno" "$bin/dyno"
    case :$PATH: in
        *":$bin:"*) echo "Start it: dyno run quick" ;;
        *) echo "Start it: $bin/dyno run quick"
           echo "$bin is not on your PATH; add it to start it by its name." ;;
    esac
}

# At the end: a download of this script that breaks off does nothing.
main
