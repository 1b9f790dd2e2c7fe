# Takes a deploy's secrets off the server; one that isn't finished is ended, and what was there before put back. Given:
# dir, deploy_id and the environment.
[ -d "$dir" ] || exit 0
if ! has_marker; then
  if owner_is_alive && [ "$owner_deploy" = "$deploy_id" ]; then
    systemctl stop "cli-agent-deploy-$deploy_id.service" >/dev/null 2>&1
    end_owner
    kill -KILL "$owner_pid" 2>/dev/null
    rm -f "$owner_file"
  fi
  [ -e "$dir/failed" ] || [ ! -e "$dir/started" ] || give_up
fi
remove_secrets
