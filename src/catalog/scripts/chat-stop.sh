# Ends a run and whatever it started in its session, within some two seconds. Given: run and owner_file. Exit codes: 0
# nothing of it runs, 81 never begun.
[ -e "$run/alive" ] || never_begun
[ -e "$run/alive" ] || exit 81
exec 7<"$run/alive"
# It may have begun in this very moment.
tries=20
until [ -s "$owner_file" ] || flock -s -n 7 || [ "$tries" = 0 ]; do
  tries=$((tries - 1))
  sleep 0.05
done
flock -u 7
owner_is_alive
end_owner TERM
flock -s -w 1 7
end_owner
# The owner may have said only now who it is.
flock -s -w 1 7 || { owner_is_alive && end_owner; flock -s -w 1 7; }
