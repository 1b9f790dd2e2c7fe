# The agent's own service, for Telegram and for what it does by the clock. Given: init (there where systemd runs). One for
# each server: several agents that share a machine have none.
as_root=
[ "$(id -u)" = 0 ] || as_root='sudo -n'
gateway_service() {
  [ ! -d "$init" ] || $as_root systemctl "$@" hermes-gateway.service
}
