# Stage 2 of a deploy: runs by itself on the server. It can be killed at any point and started again. Given: dir,
# deploy_id, deploy_dir, backup_dir, steps, is_reinstall, mcp_name, mcp_url, has_telegram, base_url, least_version, patience,
# and the environment.
umask 077
mkdir -p "$dir/steps"
exec </dev/null >>"$dir/log" 2>&1
trap '' HUP

say() {
  printf '%s %s\n' "$(date -u +%H:%M:%S)" "$1"
}

redacted() {
  sed -e 's/s[k]-[A-Za-z0-9_-]\{6,\}/•••/g' -e 's/mct[_][A-Za-z0-9_-]\{6,\}/•••/g' -e 's/[0-9]\{5,\}:[A-Za-z0-9_-]\{20,\}/•••/g'
}

# What was logged last since there were so many bytes, as one line.
last_lines() {
  tail -c +$(($1 + 1)) "$dir/log" | grep -v '^[[:space:]]*$' | tail -n 3 | tr '\n\t\r' '   ' | sed 's/ *$//' | head -c 400 | redacted
}

mark() {
  printf '%s\n%s\n' "$2" "$(printf '%s' "$3" | tr '\n\t\r' '   ')" >"$dir/steps/$1.new"
  mv -f "$dir/steps/$1.new" "$dir/steps/$1"
}

step() {
  current=$1
  state=
  read -r state 2>/dev/null <"$dir/steps/$1"
  case $state in done | skipped | warned) return ;; esac
  mark "$1" running ''
  say "== $1"
  outcome=done detail=
  "step_$1"
  mark "$1" "$outcome" "$detail"
  say "$1: $outcome${detail:+. $detail}"
}

fail() {
  say "$current: failed. $1"
  mark "$current" failed "$1"
  give_up
  rm -f "$owner_file"
  exit 1
}

# The guard is held for this moment only; what the steps start would inherit it.
take_over() (
  flock 8
  if owner_is_alive; then exit 1; fi
  # A child of the run before may still be at work.
  end_owner
  : >"$dir/started"
  become_owner "$deploy_id"
) 8>>"$owner_file.guard"

# Before anything changes, so that a failure can put it back.
keep_former() {
  [ ! -e "$dir/former/taken" ] || return 0
  rm -rf "$dir/former"
  mkdir "$dir/former"
  for name in config.yaml .env SOUL.md; do
    [ ! -f "$AGENT_HOME/$name" ] || cp -p "$AGENT_HOME/$name" "$dir/former/$name"
  done
  [ ! -f "$marker" ] || cp -p "$marker" "$dir/former/marker"
  : >"$dir/former/taken"
}

take_over || exit 0
if has_marker || [ -e "$dir/failed" ]; then
  rm -f "$owner_file"
  exit 0
fi
if [ -e "$dir/failing" ]; then
  give_up
  rm -f "$owner_file"
  exit 1
fi

# Others that were given up without a word from the service.
for other in "$deploy_dir"/*/; do
  [ "$other" = "$dir/" ] || rm -rf "$other/config.yaml" "$other/config-mcp.yaml" "$other/telegram.env" "$other/install.sh" "$other/former"
done
mkdir -p "$HOME" "$AGENT_HOME" && cd "$HOME"
[ -e "$dir/steps/finish" ] || keep_former
# A message that is being answered would lose its key in the middle.
[ ! -e "$lock" ] || flock -w "$patience" "$lock" true || say 'A message is still being answered. It goes on by its former key, which ends.'
has_marker || rm -f "$marker"
say "Deploy $deploy_id on $(uname -sr)"
for id in $steps; do step "$id"; done
write_marker || fail "$marker could not be written."
rm -f "$owner_file"
