# What looks after a server begins so. Given: instance and the environment. A server can be another instance's by now.
if [ -s "$state_dir/instance" ]; then
  read -r holder _ <"$state_dir/instance"
  [ "$holder" = "$instance" ] || exit 75
fi

# Sets unit, by its first line where it lies. A machine has one, which can be another agent's.
has_gateway() {
  unit=$(systemctl cat hermes-gateway.service 2>/dev/null) && [ -n "$unit" ] || return 1
  printf '%s\n' "$unit" | grep -qF -e "HERMES_HOME=$HERMES_HOME\"" -e "HERMES_HOME=$(readlink -f "$HERMES_HOME")\""
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Sets ended. Given: run_dir and end_run, which is chat-stop.sh.
end_runs() {
  ended=0
  for run in "$run_dir"/*; do
    owner_file=$run/owner
    [ -e "$run/alive" ] || continue
    # The runner holds it as long as it lives.
    if (flock -s -n 7) 7<"$run/alive"; then continue; fi
    end_run
    ended=$((ended + 1))
  done
}
