# Makes the folders of a deploy, and the place this instance's own. Given: dir, deploy_dir, backup_dir, owner_file, instance,
# customer, former (what to do with another instance's state: keep or wipe; empty where there is none), apps (program:folder:variable of each) and the environment.
umask 022
# With some bytes: a full disk still makes folders and empty files. Sets problem.
can_write() {
  problem=$({ mkdir -p "$state_dir" && head -c 4096 /dev/zero >"$state_dir/room"; } 2>&1)
  set -- $?
  rm -f "$state_dir/room" 2>/dev/null
  return "$1"
}
if ! can_write; then
  # A user other than root can have it made for itself.
  sudo -n sh -c 'mkdir -p "$1" && chown "$2" "$1"' sh "$state_dir" "$(id -u)" 2>/dev/null
  can_write || { echo "The user $(id -un) can’t write to $state_dir: ${problem##*: }" >&2; exit 73; }
fi
for tool in flock timeout setsid tar sed head tail cut getent; do
  command -v "$tool" >/dev/null || { echo "This server has no $tool; install util-linux and coreutils." >&2; exit 69; }
done

set_home_aside() {
  program=${1%%:*} home_variable=${1##*:} AGENT_HOME=${1#*:}
  AGENT_HOME=$HOME/${AGENT_HOME%:*}
  if has_gateway; then gateway_service disable --now || :; fi
  if [ -d "$AGENT_HOME" ]; then
    rm -f "$AGENT_HOME"/config.yaml* "$AGENT_HOME"/.env* "$AGENT_HOME"/auth.json*
    mv "$AGENT_HOME" "$AGENT_HOME.former-$aside" || return
  fi
  rm -rf "$AGENT_HOME.restoring"
  rm -f "$AGENT_HOME.former-restore"/config.yaml* "$AGENT_HOME.former-restore"/.env* "$AGENT_HOME.former-restore"/auth.json*
  [ "$former" != wipe ] || rm -rf "$AGENT_HOME".former-*
}

# Broken off it is done over: only the last line makes the place ours. Keys go in any case; whoever had them may be alive.
set_aside() {
  if owner_is_alive; then
    echo 'Another instance deploys to this server just now. Deploy again once that is over.' >&2
    exit 75
  fi
  [ -s "$state_dir/instance" ] || echo 'another customer' >"$state_dir/instance"
  rm -f "$marker"
  for owner_file in "$state_dir"/runs/*/owner; do
    if owner_is_alive; then end_owner; fi
  done
  aside=$(date -u +%Y%m%dT%H%M%SZ)
  # Whichever app was there.
  for app in $apps; do (set_home_aside "$app") || exit 73; done
  mkdir -p -m 700 "$state_dir/former/$aside" || exit 73
  for thing in threads files runs backups deploys; do
    [ ! -e "$state_dir/$thing" ] || mv "$state_dir/$thing" "$state_dir/former/$aside/" || exit 73
  done
  rm -f "$state_dir/former/$aside"/deploys/*/config*.yaml "$state_dir/former/$aside"/deploys/*/telegram.env "$state_dir/former/$aside"/deploys/*/install.sh
  rm -rf "$state_dir/former/$aside"/deploys/*/former
  [ "$former" != wipe ] || rm -rf "$state_dir/former"
}

[ -z "$former" ] || set_aside
mkdir -p -m 700 "$deploy_dir" "$backup_dir" && mkdir -p -m 700 "$dir" && mkdir -p "$HOME" || exit 73
printf '%s %s\n' "$instance" "$customer" >"$state_dir/instance.new" && mv -f "$state_dir/instance.new" "$state_dir/instance" || exit 73
