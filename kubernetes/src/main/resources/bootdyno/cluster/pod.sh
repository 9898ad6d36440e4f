# Runs in each pod: waits for its inputs, measures one round, and keeps it until the controller has it.
# The lines that begin with "boot-dyno:" are read by the controller (PodLog.kt).
trap 'exit 143' TERM INT

cd /work || exit 70
mkdir -p runs
# shellcheck disable=SC2086  # numbers
set -- $BOOT_DYNO_ROUNDS
shift "$JOB_COMPLETION_INDEX"

echo "boot-dyno: waits for its inputs"
waited=0
until [ -f inputs.complete ]; do
    sleep 1
    waited=$((waited + 1))
    [ "$waited" -lt 900 ] || exit 74
done

echo "boot-dyno: measures round $1"
cd in || exit 70
# shellcheck disable=SC2086  # flags are words
dyno run "$BOOT_DYNO_EXPERIMENT" --round "$1/$BOOT_DYNO_ALL_ROUNDS" --out /work/runs $BOOT_DYNO_FLAGS </dev/null >/dev/null &
wait $!
echo "boot-dyno: ended $?"

until [ -f /work/verdict ]; do sleep 1; done
exit "$(cat /work/verdict)"
