# Runs the agent once for the message on standard input, and prints its reply. Given: timeout_cs, least_cs (hundredths of
# a second), marker, state_dir, lock, thread (a file), session (for where there is no such file). Exit codes, read by chat.ts: 0 the reply, 75 not ready, 76 never started, 77 empty
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

# By its id: --continue goes on with whatever session is newest, somebody else's or a child's. The file has the id, and a
# sum of the persona, since a resumed session keeps the one that it began with.
persona=$(cksum 2>/dev/null <"$HERMES_HOME/SOUL.md" | cut -d ' ' -f 1)
known=
if [ -s "$thread" ]; then read -r session known <"$thread"; fi
said=$message
if [ -n "$session" ] && [ -n "$persona" ] && [ "$persona" != "$known" ]; then
  message="[From whoever set you up, not from the person you talk with: who you are has changed. This replaces what you were told of it before.]
$(cat "$HERMES_HOME/SOUL.md")
[The person you talk with says:]
$said"
fi
if [ -n "$session" ]; then ask --resume "$session"; else ask; fi
if [ -n "$session" ] && [ "$code" = 1 ] && grep -q '^Session not found' "$run/out"; then
  message=$said
  rm -f "$thread"
  ask
fi
told=$(sed -n 's/^session_id:[[:space:]]*\([A-Za-z0-9_.:-]\{1,200\}\)[[:space:]]*$/\1/p' "$run/err" | tail -n 1)
if [ -n "$told" ] && { [ "$code" = 0 ] || [ ! -s "$thread" ]; }; then
  mkdir -p -m 700 "${thread%/*}" && printf '%s %s\n' "$told" "$persona" >"$thread.new" && mv -f "$thread.new" "$thread"
fi 2>/dev/null

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
