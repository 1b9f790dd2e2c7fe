# The agent's own service, for Telegram and for what it does by the clock. Given: init (there where systemd runs). One for
# each server: several agents that share a machine have none.
as_root=
[ "$(id -u)" = 0 ] || as_root='sudo -n'
gateway_service() {
  [ ! -d "$init" ] || $as_root systemctl "$@" $program-gateway.service
}

# Sets unit, by its first line where it lies. A machine has one, which can be another agent's.
has_gateway() {
  unit=$(systemctl cat $program-gateway.service 2>/dev/null) && [ -n "$unit" ] || return 1
  printf '%s\n' "$unit" | grep -qF -e "$home_variable=$AGENT_HOME\"" -e "$home_variable=$(readlink -f "$AGENT_HOME")\""
}
