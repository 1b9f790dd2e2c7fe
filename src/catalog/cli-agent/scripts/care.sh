# What looks after a server begins so. Given: instance and the environment. A server can be another instance's by now.
if [ -s "$state_dir/instance" ]; then
  read -r holder _ <"$state_dir/instance"
  [ "$holder" = "$instance" ] || exit 75
fi

# In a sandbox the machine's one service can be another's.
has_gateway() {
  unit=$(systemctl cat hermes-gateway.service 2>/dev/null) && [ -n "$unit" ] || return 1
  [ -z "$app_home" ] || printf '%s\n' "$unit" | grep -qF "HERMES_HOME=$HERMES_HOME\""
}
