# Packs the agent's home and its conversations, without what holds keys and what an installer brings. Given: file, most
# (bytes), lock, and care.sh with what that needs.
umask 077
[ -d "$AGENT_HOME" ] || { echo 'no agent has a home here' >&2; exit 66; }
mkdir -p "${file%/*}" && cd "$state_dir" && true >>"$lock" || exit 73
find "${file%/*}" -name 'out-*' -mmin +20 -exec rm -f {} +
exec 9>>"$lock"
flock -w 20 9 || { echo 'the agent is at work; try again when it has answered' >&2; exit 76; }
for thing in instance threads; do [ ! -e "$thing" ] || set -- "$@" "$thing"; done
code=0
# In blocks of 512 bytes.
told=$(ulimit -f $((most / 512)) && exec tar -czf "$file" --hard-dereference --no-wildcards-match-slash --exclude='.env*' --exclude='auth.json*' \
  --exclude="$home_folder/config.yaml*" --exclude="$home_folder/gateway*" --exclude="$home_folder/*cache*" --exclude="$home_folder/logs" --exclude="$home_folder/bin" \
  --exclude="$home_folder/hermes-agent" --exclude=venv --exclude=.venv --exclude=node_modules --exclude=__pycache__ \
  "$@" -C "${AGENT_HOME%/*}" "$home_folder" 2>&1) || code=$?
# 1: a file changed while it was read.
[ "$code" -le 1 ] || { rm -f "$file"; printf 'tar ended with %s, for a home larger than %s MB or for this: %s\n' "$code" $((most / 1000000)) "$(printf '%s' "$told" | head -n 1)" >&2; exit 73; }
printf 'size %s\n' "$(wc -c <"$file")"
