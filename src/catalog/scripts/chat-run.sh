# Runs the agent once for a message, leading a session of its own, and leaves in the folder of the run what came of it:
# out, err, files and, last and with nothing in it so that a full disk has room for it, code-N. N is 0 for a reply, 78 for too
# long a one, 124 for no end within the limit; else what the agent ended with.
run=$1 thread=$2 talk=$3 limit=$4 files_out=$5 message=$6
owner_file=$run/owner
become_owner chat
agent=
# Not gone before the agent is.
trap '[ -z "$agent" ] || kill "$agent" 2>/dev/null' TERM INT HUP

# The locks stay with this shell alone: a child that the agent leaves behind would keep them.
ask() {
  read -r began _ </proc/uptime
  LC_ALL=C.UTF-8 timeout -k 2 "$limit" "$program" chat -Q "$@" --query="$message" >"$run/out" 2>"$run/err" 8>&- 9>&- &
  agent=$!
  while sleep 1 && kill -0 "$agent"; do
    [ "$(wc -c <"$run/out")" -le 1000000 ] || { : >"$run/too-long"; kill "$agent"; }
  done >/dev/null 2>&1 8>&- 9>&- &
  watch=$!
  wait "$agent"
  code=$?
  while kill -0 "$agent" 2>/dev/null; do
    wait "$agent"
    code=$?
  done
  agent=
  # KILL is the limit's last word, and that of a kernel without memory.
  read -r up _ </proc/uptime
  if [ "$code" = 137 ] && [ $((${up%.*} - ${began%.*})) -ge "${limit%.*}" ]; then code=124; fi
  # A shell that has just been forked can miss any other signal.
  { kill -KILL "$watch"; wait "$watch"; } 2>/dev/null
}

# By its id: --continue goes on with whatever session is newest, somebody else's or a child's. The file has the id, and a
# sum of the persona, since a resumed session keeps the one that it began with.
persona=$(cksum 2>/dev/null <"$AGENT_HOME/SOUL.md" | cut -d ' ' -f 1)
known=
if [ -s "$thread" ]; then read -r talk known <"$thread"; fi
said=$message
if [ -n "$talk" ] && [ -n "$persona" ] && [ "$persona" != "$known" ]; then
  message="[From whoever set you up, not from the person you talk with: who you are has changed. This replaces what you were told of it before.]
$(cat "$AGENT_HOME/SOUL.md")
[The person you talk with says:]
$said"
fi
if [ -n "$talk" ]; then ask --resume "$talk"; else ask; fi
if [ -n "$talk" ] && [ "$code" = 1 ] && grep -q '^Session not found' "$run/out"; then
  message=$said
  rm -f "$thread"
  ask
fi
told=$(sed -n 's/^session_id:[[:space:]]*\([A-Za-z0-9_.:-]\{1,200\}\)[[:space:]]*$/\1/p' "$run/err" | tail -n 1)
if [ -n "$told" ] && { [ "$code" = 0 ] || [ ! -s "$thread" ]; }; then
  mkdir -p -m 700 "${thread%/*}" && printf '%s %s\n' "$told" "$persona" >"$thread.new" && mv -f "$thread.new" "$thread"
fi 2>/dev/null

[ "$(wc -c <"$run/out")" -le 1000000 ] || code=78
if [ -e "$run/too-long" ]; then code=78; fi
# What it left for the person has another name of ours: that stays what it is, whatever becomes of the first.
sent=0
for file in "$files_out"/*; do
  [ "$sent" -lt 10 ] && [ -f "$file" ] && [ ! -L "$file" ] && [ "$(wc -c <"$file")" -le 25000000 ] || continue
  link=$files_out/.sent/$((sent + 1))
  mkdir -p "${link%/*}" && { ln -P "$file" "$link" || cp -P "$file" "$link"; } && [ -f "$link" ] && [ ! -L "$link" ] || continue
  sent=$((sent + 1))
  printf 'file %s %s\n' "$(wc -c <"$link")" "$(printf %s "${file##*/}" | tr '\001-\037\177' _)"
done >"$run/files" 2>/dev/null
rmdir "$files_out" 2>/dev/null
: >"$run/code-$code"
exec 8>&- 9>&-
# What somebody may still ask about stays.
find "${run%/*}" -mindepth 1 -maxdepth 1 -mmin +60 | xargs -r rm -rf
# The agent knows this place, and may have put whatever there.
ls -t "${files_out%/*}" | grep -x '[a-zA-Z0-9_-]*' | tail -n +21 | while read -r old; do rm -rf "${files_out%/*}/$old"; done
