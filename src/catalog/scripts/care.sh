# What looks after a server begins so. Given: instance, is_named and the environment. A server can be another instance's by now.
if [ -s "$state_dir/instance" ]; then
  read -r holder _ <"$state_dir/instance"
  [ "$holder" = "$instance" ] || exit 75
elif [ -n "$is_named" ]; then
  exit 75
fi

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
