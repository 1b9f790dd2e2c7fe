# Tells how a run goes: what the agent has written since an offset, on standard output; “tool NAME” for each that it used,
# “file SIZE NAME” for each that it left for the person, “ended N” and then its last words on standard error. Given: run (a folder), offset (bytes that are known), deadline (by
# now_cs), interval (seconds), instance, is_named and the environment. Exit codes: 0 ended, 79 still at work, 80 gone without an end,
# 81 never begun.
owner_file=$run/owner
agent_log=$AGENT_HOME/logs/agent.log

now_cs() {
  read -r up _ </proc/uptime
  now=${up%.*}${up#*.}
}
as_seconds() {
  seconds=$(($1 / 100)).$(($1 / 10 % 10))$(($1 % 10))
}

# A server can be another instance's by now; what was deployed before this was written down has no such file.
is_ready() {
  [ -f "$marker" ] || return 1
  [ -s "$state_dir/instance" ] || { [ -z "$is_named" ]; return; }
  read -r holder _ <"$state_dir/instance"
  [ "$holder" = "$instance" ]
}

tell_output() {
  # Another try may follow, which begins anew: what it isn't is certain before anything is measured.
  if [ "$offset" = 0 ] && [ "$over" = 99 ]; then
    case 'Session not found' in "$(head -c 17 2>/dev/null "$run/out")"*) return ;; esac
  fi
  size=$(wc -c 2>/dev/null <"$run/out") || return
  [ "$size" -le 1000000 ] || size=1000000
  [ "$size" -gt "$offset" ] || return
  tail -c +$((offset + 1)) "$run/out" | head -c $((size - offset))
  offset=$size
}

tell_tools() {
  told=$(cat 2>/dev/null "$run/told")
  size=$(wc -c 2>/dev/null <"$agent_log") || return
  # It begins anew now and then.
  [ "$size" -ge "${told:=0}" ] || told=0
  [ "$size" -gt "$told" ] || return
  tail -c +$((told + 1)) "$agent_log" | head -c $((size - told)) |
    sed -nE 's/^.*: [tT]ool ([A-Za-z0-9_.:-]{1,64}) (completed|failed|returned error) \(.*/tool \1/p' | tail -n 50 >&2
  printf '%s\n' "$size" >"$run/told"
}

# Who is told that a run never began may send its message again: whatever waits to begin it finds that written down. The
# guard is held for this moment only.
never_begun() (
  mkdir -p "${run%/*}" && exec 6>>"${run%/*}.guard" && flock 6 || exit
  [ -e "$run/alive" ] || : >"$run.gone"
)

follow() {
  if [ ! -e "$run/alive" ]; then
    never_begun
    [ -e "$run/alive" ] || exit 81
  fi
  exec 7<"$run/alive"
  over=99
  while [ "$over" = 99 ]; do
    # Whoever gets the lock knows that all is written.
    flock -s -w "$interval" -E 99 7
    over=$?
    case $over in 0 | 99) ;; *) exit 71 ;; esac
    tell_output
    tell_tools
    now_cs
    [ "$over" != 99 ] || [ "$now" -lt "$deadline" ] || exit 79
  done
  for ended in "$run"/code-*; do :; done
  if [ -e "$ended" ]; then
    head -c 8192 "$run/files" >&2 2>/dev/null
    printf 'ended %s\n' "${ended##*-}" >&2
  elif [ -e "$owner_file" ]; then
    # What it had begun goes on for nobody.
    owner_is_alive
    end_owner
    code=80
  else
    exit 81
  fi
  tail -c 8192 "$run/err" >&2
  # A full disk has no room for the words that would tell of it.
  [ -s "$run/out" ] && [ "${ended##*-}" = 0 ] || { head -c 4096 /dev/zero >"$run/room" && rm -f "$run/room"; }
  exit "${code:-0}"
}
