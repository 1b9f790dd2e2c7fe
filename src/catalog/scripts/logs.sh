# The end of the agent's own log, one byte more than is shown where there is more. Given: lines, bytes and the environment.
agent_log=$AGENT_HOME/logs/agent.log
[ -f "$agent_log" ] || exit 0
tail -c "$((bytes + 1))" "$agent_log" | tail -n "$lines"
