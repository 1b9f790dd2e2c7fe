# The agent's own service, for Telegram and for what it does by the clock. Given: init (there where systemd runs). One for
# each server: several agents that share a machine have none.
as_root=
[ "$(id -u)" = 0 ] || as_root='sudo -n'
gateway_service() {
  [ ! -d "$init" ] || $as_root systemctl "$@" hermes-gateway.service
}

# Sets unit, by its first line where it lies. A machine has one, which can be another agent's.
has_gateway() {
  unit=$(systemctl cat hermes-gateway.service 2>/dev/null) && [ -n "$unit" ] || return 1
  printf '%s\n' "$unit" | grep -qF -e "HERMES_HOME=$HERMES_HOME\"" -e "HERMES_HOME=$(readlink -f "$HERMES_HOME")\""
}
