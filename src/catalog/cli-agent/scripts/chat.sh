# Runs the agent once for the message on standard input, and prints its reply. Given: timeout_cs, least_cs (hundredths of
# a second), marker, state_dir, lock. Exit codes, read by chat.ts: 0 the reply, 75 not ready, 76 never started, 77 empty
# message, 78 reply too long, 124 timed out, 70 the agent failed.
now_cs() {
  read -r up _ </proc/uptime
  now=${up%.*}${up#*.}
}
as_seconds() {
  seconds=$(($1 / 100)).$(($1 / 10 % 10))$(($1 % 10))
}

now_cs
deadline=$((now + timeout_cs))

# The dot keeps the trailing newlines, which $(…) would eat.
message=$(tr -d '\000'; printf .)
message=${message%.}
[ -f "$marker" ] || exit 75
case $message in *[![:space:]]*) ;; *) exit 77 ;; esac

exec 9>>"$lock" || exit 70
now_cs
as_seconds $((deadline - now - least_cs > 0 ? deadline - now - least_cs : 0))
flock -w "$seconds" -E 76 9 || exit
# A deploy may have begun while we waited.
[ -f "$marker" ] || exit 75

# Under the lock one name is enough. What a killed run left is removed by the next one.
run=$state_dir/run
rm -rf "$run"
mkdir -m 700 "$run" && cd "$HOME" || exit 70
agent=
stop() {
  [ -z "$agent" ] || kill "$agent" 2>/dev/null
  rm -rf "$run"
}
trap 'stop; exit 143' TERM INT HUP

# The lock stays with this shell alone: a child that the agent leaves behind would keep it.
ask() {
  now_cs
  [ $((deadline - now)) -ge "$least_cs" ] || { stop; exit 76; }
  as_seconds $((deadline - now))
  LC_ALL=C.UTF-8 timeout -k 2 "$seconds" hermes chat -Q "$@" --query="$message" \
    </dev/null >"$run/out" 2>"$run/err" 9>&- &
  agent=$!
  while sleep 1 && kill -0 "$agent"; do
    [ "$(wc -c <"$run/out")" -le 1048576 ] || { : >"$run/too-long"; kill "$agent"; }
  done </dev/null >/dev/null 2>&1 9>&- &
  watch=$!
  wait "$agent"
  code=$?
  agent=
  # A shell that has just been forked can miss any other signal.
  { kill -KILL "$watch"; wait "$watch"; } 2>/dev/null
}

ask --continue
if [ "$code" = 1 ] && grep -q '^No previous CLI session found to continue' "$run/out"; then ask; fi

[ "$(wc -c <"$run/out")" -le 1048576 ] || : >"$run/too-long"
if [ -e "$run/too-long" ]; then code=78; fi
head -c 1048576 "$run/out"
tail -c 8192 "$run/err" >&2
rm -rf "$run"
case $code in
0 | 78) exit "$code" ;;
124 | 137) exit 124 ;;
*) exit 70 ;;
esac
