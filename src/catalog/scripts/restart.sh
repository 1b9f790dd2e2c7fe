# Ends every run under way, and starts the agent's gateway anew where there is one. Given: care.sh and what that needs.
end_runs
gateway=none
if has_gateway; then
  if $as_root systemctl --no-block restart $program-gateway.service >/dev/null 2>&1; then gateway=restarted; else gateway=failed; fi
fi
printf 'runs %s\ngateway %s\n' "$ended" "$gateway"
