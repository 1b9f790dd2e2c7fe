# Starts stage 2 so that it outlives this session. Given: dir, deploy_id and the environment.
[ ! -e "$dir/failed" ] && ! has_marker || exit 0
# Read before the look at the owner: one that takes over after that look must differ from it.
owner_before=$(cat "$owner_file" 2>/dev/null)
if owner_is_alive; then
  [ "$owner_deploy" = "$deploy_id" ] && exit 0
  echo 'Another deploy is running on this server.' >&2
  exit 75
fi
[ -x "$dir/deploy.sh" ] || { echo 'The deploy isn’t on this server.' >&2; exit 66; }
# systemd ends all that a service started when it is stopped, and would tell a sign-out from it.
if ! { [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ] && command -v systemd-run >/dev/null &&
  systemd-run --quiet --collect --unit="cli-agent-deploy-$deploy_id" --setenv=HOME="$login_home" --setenv=PATH="$PATH" \
    sh "$dir/deploy.sh" </dev/null >/dev/null 2>&1; }; then
  setsid sh "$dir/deploy.sh" </dev/null >/dev/null 2>&1 &
fi
tries=0
# Begun is enough: it may be over by now.
until [ "$(cat "$owner_file" 2>/dev/null)" != "$owner_before" ] || [ -e "$dir/failed" ] || has_marker; do
  tries=$((tries + 1))
  [ "$tries" -le 100 ] || { echo 'The deploy did not start.' >&2; exit 70; }
  sleep 0.1
done
