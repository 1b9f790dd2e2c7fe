# How a deploy ends. Given: dir, deploy_id, marker, AGENT_HOME.
has_marker() {
  [ "$(cat "$marker" 2>/dev/null)" = "$deploy_id" ]
}

remove_secrets() {
  rm -f "$dir/config.yaml" "$dir/config-mcp.yaml" "$dir/telegram.env" "$dir/install.sh"
}

put() {
  cp "$1" "$2.new" && chmod 600 "$2.new" && mv -f "$2.new" "$2"
}

# A deploy that fails leaves the agent as it was, so that a chat that worked before still does.
restore_former() {
  [ -e "$dir/former/taken" ] || return 0
  if [ -e "$dir/steps/configure" ]; then
    for name in config.yaml .env SOUL.md; do
      if [ -f "$dir/former/$name" ]; then put "$dir/former/$name" "$AGENT_HOME/$name"
      else rm -f "$AGENT_HOME/$name"; fi
    done
  fi
  [ ! -f "$dir/former/marker" ] || { cp "$dir/former/marker" "$marker.new" && mv -f "$marker.new" "$marker"; }
  rm -rf "$dir/former"
}

give_up() {
  : >"$dir/failing"
  remove_secrets
  restore_former
  : >"$dir/failed"
}
