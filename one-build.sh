# shellcheck shell=sh
# Sourced by ./build and build-parts: two builds in one checkout would write into the same folders. $here is the checkout.

builds=$here/.dyno/building

# begin_build WHAT takes the lock of this checkout for a build of WHAT. While another build has it, this waits and names that build.
begin_build() {
    mkdir -p "$here/.dyno"
    waited=
    # noclobber makes the file only if it does not exist.
    until (set -C && echo "$$ $1" >"$builds") 2>/dev/null; do
        other=$(cat "$builds" 2>/dev/null) || continue
        if kill -0 "${other%% *}" 2>/dev/null; then
            [ -n "$waited" ] || echo "Waiting for the build of ${other#* } in this checkout (pid ${other%% *})." >&2
            waited=yes
            sleep 1
        elif [ "$(cat "$builds" 2>/dev/null)" = "$other" ]; then
            # It was killed.
            rm -f "$builds"
        fi
    done
}

end_build() { rm -f "$builds"; }
