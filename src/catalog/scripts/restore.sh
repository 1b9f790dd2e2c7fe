# Unpacks what backup.sh packed, wherever that was, and puts it in the place of the agent's home. Given: file, most (bytes of
# what is packed), customer, marker, lock, and care.sh with what that needs. Others wrote the archive: of it only plain files
# and folders stay, and nothing that says who the agent is and how it is let in.
umask 077
fresh=$AGENT_HOME.restoring home=$AGENT_HOME.restoring/$home_folder kept=$AGENT_HOME.former-restore
stopped=
fail() {
  [ -z "$stopped" ] || gateway_service start >&2
  rm -rf "$fresh" "$file"
  echo "$1" >&2
  exit 73
}
trap 'fail stopped' TERM HUP
exec 9>>"$lock"
flock -w 20 9 || { rm -f "$file"; echo 'the agent is at work; try again when it has answered' >&2; exit 76; }
# A deploy may have begun meanwhile.
[ -f "$marker" ] || fail 'no agent is deployed here just now'

only_files() {
  find "$fresh" ! -type d \( ! -type f -o -links +1 \) -exec rm -f {} +
}
rm -rf "$fresh" && mkdir "$fresh" || fail 'there is no room'
gzip -dc <"$file" 2>/dev/null | head -c "$most" | tar -xf - -C "$fresh" --no-same-owner --no-same-permissions 2>/dev/null ||
  fail 'that is no whole backup of an agent, or there is no room for it'
only_files
chmod -R a-st,go-rwx,u+rwX "$fresh"
only_files
# A deploy writes down whose place it is, whichever app it puts there.
[ -d "$home" ] || [ ! -f "$fresh/instance" ] || fail 'that is a backup of another app’s agent'
[ -d "$home" ] || fail 'that is no backup of an agent'
whose=
read -r _ whose 2>/dev/null <"$fresh/instance"
[ "${whose:=$customer}" = "$customer" ] || fail 'that is a backup of another customer’s agent'

# One was killed in the middle of what follows: a whole one leaves no key there.
if [ -e "$kept/config.yaml" ]; then
  for brought in hermes-agent bin logs; do
    [ -e "$kept/$brought" ] || [ ! -e "$AGENT_HOME/$brought" ] || mv "$AGENT_HOME/$brought" "$kept/"
  done
  rm -rf "$AGENT_HOME" && mv "$kept" "$AGENT_HOME"
fi
# This server's own: what is small is copied before, what was installed is moved after.
rm -rf "$home"/config.yaml* "$home"/.env* "$home"/auth.json* "$home/SOUL.md"
for own in "$AGENT_HOME"/config.yaml* "$AGENT_HOME"/.env* "$AGENT_HOME"/auth.json* "$AGENT_HOME/SOUL.md"; do
  [ ! -f "$own" ] || cp -p "$own" "$home/" || fail 'there is no room'
done
[ ! -e "$state_dir/threads" ] || cp -Rp "$state_dir/threads" "$fresh/former" || fail 'there is no room'
if has_gateway; then stopped=1 && gateway_service stop >&2; fi
trap '' TERM HUP INT
# It may have been removed meanwhile.
[ -f "$marker" ] || fail 'no agent is deployed here any more'
rm -rf "$kept"
if ! mv "$AGENT_HOME" "$kept" || ! mv -T "$home" "$AGENT_HOME"; then
  [ -d "$AGENT_HOME" ] || mv "$kept" "$AGENT_HOME"
  fail 'it could not be put in its place'
fi
for brought in hermes-agent bin logs; do
  rm -rf "$AGENT_HOME/$brought"
  [ ! -e "$kept/$brought" ] || mv "$kept/$brought" "$AGENT_HOME/"
done
rm -rf "$kept"/config.yaml* "$kept"/.env* "$kept"/auth.json* "$state_dir/threads"
[ ! -d "$fresh/threads" ] || mv "$fresh/threads" "$state_dir/threads"
[ ! -d "$fresh/former" ] || mv "$fresh/former" "$kept/threads"
rm -rf "$fresh" "$file"
exec 9>&-
if has_gateway; then gateway_service start >&2; fi
