# Takes the agent off this server. Given: how (keep, or wipe with its home), customer, is_ours (whether its program is), and
# care.sh with what that needs.
# Who waits for the agent begins only where there is a marker.
rm -f "$marker" || exit 73
end_runs
owner_file=$state_dir/deploy.owner
if owner_is_alive; then end_owner; fi
if has_gateway; then
  # It would take its time to end.
  $as_root systemctl kill --signal=KILL $program-gateway.service >/dev/null 2>&1
  $as_root systemctl disable --now $program-gateway.service >/dev/null || exit 73
  $as_root rm -f "$(printf '%s\n' "$unit" | sed -n '1s/^# //p')"
  $as_root systemctl daemon-reload
fi
rm -rf "$AGENT_HOME"/config.yaml "$AGENT_HOME"/config.yaml.new "$AGENT_HOME"/.env "$AGENT_HOME"/.env.new "$AGENT_HOME"/auth.json* "$AGENT_HOME.restoring" "$AGENT_HOME.former-restore" "$state_dir/threads" "$state_dir/files" "$run_dir" "$run_dir.guard" "$state_dir/deploys" || exit 73
# Whose home it is stays written down: the next customer of this server would go on with it.
if [ "$how" != wipe ]; then
  [ -s "$state_dir/instance" ] || printf '%s %s\n' "$instance" "$customer" >"$state_dir/instance"
  exit
fi
rm -rf "$AGENT_HOME" || exit 73
[ -z "$is_ours" ] || rm -f "$HOME/.local/bin/$program" || exit 73
# The folder itself can be out of the user's reach.
rm -rf "$state_dir" 2>/dev/null || [ -z "$(ls -A "$state_dir")" ] || { echo "$state_dir could not be emptied." >&2; exit 73; }
