# How the server and its agent are: a line each of a name and what is told of it. Given: the environment.
printf 'version %s\n' "$(timeout -k 1 10 "$program" --version </dev/null 2>/dev/null | head -n 1 | head -c 200)"
# The home may not be there yet: what it would lie on tells of it.
home=$AGENT_HOME
until [ -d "$home/" ]; do home=${home%/*}; done
df -Pk "$home/" 2>/dev/null | sed -nE '2s/^.* ([0-9]+) +[0-9]+ +([0-9]+) +[0-9]+% .*$/diskTotalKb \1\ndiskFreeKb \2/p'
sed -nE 's/^([0-9.]+) .*/load \1/p' /proc/loadavg
sed -nE 's/^MemTotal: +([0-9]+) kB$/memoryTotalKb \1/p; s/^MemAvailable: +([0-9]+) kB$/memoryFreeKb \1/p' /proc/meminfo
sed -nE 's/^([0-9]+)\..*/uptimeSeconds \1/p' /proc/uptime
if has_gateway; then
  if systemctl is-active --quiet $program-gateway.service; then echo 'gateway 1'; else echo 'gateway 0'; fi
fi
