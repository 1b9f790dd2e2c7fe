#!/bin/sh
# An agent without hands: it talks, and has the memory tools, but none that touches its server. It speaks the command line
# of docs/catalog.md, takes sh, curl and jq, and keeps all that it knows in $SHELL_AGENT_HOME.
umask 077
home=${SHELL_AGENT_HOME:-$HOME/.shell-agent}
config=$home/config.yaml
# Rounds of tool calls for one message; seconds for one answer of the model, and of a tool; bytes of each; bytes of a thread
# that go to the model.
rounds=8 model_seconds=180 tool_seconds=60 most_bytes=4000000 most_of_tool=20000 most_of_thread=100000

die() {
  printf '%s\n' "$1" >&2
  exit 1
}

# A double-quoted scalar of the configuration, by its name.
setting() {
  sed -n "s/^ *$1: \(\"[^\"]*.*\"\)\$/\1/p" "$config" 2>/dev/null | head -n 1 | jq -r .
}

log() {
  mkdir -p "$home/logs"
  printf '%s INFO [%s] %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$session" "$1" >>"$home/logs/agent.log"
}

# Posts $work/request to $1 with the authorization $2, within $3 seconds. Sets status; empty where nobody answered. A key on
# a command line would be everybody's to read.
post() {
  rm -f "$work/head"
  printf 'header = "Authorization: %s"\n' "$2" |
    curl -sS -K - --max-time "$3" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
      -H 'MCP-Protocol-Version: 2025-06-18' -D "$work/head" --data-binary @"$work/request" "$1" 2>"$work/complaint" |
    head -c "$most_bytes" >"$work/answer"
  status=$(sed -n 's/^HTTP[^ ]* \([0-9]*\).*/\1/p' "$work/head" 2>/dev/null | tail -n 1)
}

# One message of JSON-RPC; fails where it has no result.
ask_tools() {
  post "$(setting url)" "$(setting Authorization)" "$tool_seconds"
  [ "$status" = 200 ] && jq -e .result "$work/answer" >/dev/null 2>&1
}

# As functions of the model; none where there is no memory, or it can't be reached.
list_tools() {
  echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' >"$work/request"
  if [ -n "$(setting url)" ] && ask_tools; then
    jq '[.result.tools[] | {type: "function", function: {name: ("mcp_mindgate_" + .name), description, parameters: .inputSchema}}]' "$work/answer"
  else
    echo '[]'
  fi
}

# Calls $1 with $2, JSON, and prints what the model reads of it.
call_tool() {
  outcome=completed
  jq -n --arg name "${1#mcp_mindgate_}" --arg given "$2" \
    '{jsonrpc: "2.0", id: 1, method: "tools/call", params: {$name, arguments: ($given | fromjson? // {})}}' >"$work/request"
  if ask_tools; then
    jq -r '[.result.content[]? | select(.type == "text") | .text] | join("\n")' "$work/answer" | head -c "$most_of_tool"
    [ "$(jq -r '.result.isError // false' "$work/answer")" = false ] || outcome='returned error'
  else
    outcome=failed
    echo "The tool could not be asked: ${status:+HTTP $status }$(jq -r '.error.message // ""' "$work/answer" 2>/dev/null | head -c 300)"
  fi
  log "shell-agent: tool $(printf %s "$1" | tr -cd 'A-Za-z0-9_.:-' | head -c 64) $outcome (1 call)"
}

# Sets status, and leaves the answer in $work/answer. A gateway that restarts is away for a moment.
ask_model() {
  for pause in 2 4 0; do
    jq -n --arg model "$(setting default)" --rawfile soul "$work/soul" --slurpfile said "$work/said" --slurpfile tools "$work/tools" \
      '{$model, messages: ([{role: "system", content: $soul}] + $said[0])} + (if $tools[0] == [] then {} else {tools: $tools[0]} end)' >"$work/request"
    post "$(setting base_url)/chat/completions" "Bearer $(setting api_key)" "$model_seconds"
    case $status in '' | 429 | 5??) ;; *) return ;; esac
    [ "$pause" = 0 ] || sleep "$pause"
  done
}

chat() {
  resumed= query=
  while [ $# -gt 0 ]; do
    case $1 in
    -Q) ;;
    --resume) shift && resumed=$1 ;;
    --query=*) query=${1#--query=} ;;
    *) die "shell-agent: unrecognized argument: $1" ;;
    esac
    shift
  done
  session=$resumed
  case $session in
  '') session=$(date -u +%Y%m%d_%H%M%S)_$(od -An -N3 -tx1 /dev/urandom | tr -d ' \n') ;;
  *[!A-Za-z0-9_]*) session=none ;;
  esac
  thread=$home/sessions/$session.json
  [ -z "$resumed" ] || [ -f "$thread" ] || { echo "Session not found: $resumed"; exit 1; }
  [ -n "$(setting base_url)" ] || die "shell-agent: $config doesn’t say where the model is."
  # One that was killed has left it.
  find "$home" -maxdepth 1 -name 'work.*' -mmin +60 -exec rm -rf {} + 2>/dev/null
  mkdir -p "$home/sessions" && work=$(mktemp -d "$home/work.XXXXXX") || exit 1
  trap 'rm -rf "$work"' EXIT
  trap 'exit 143' TERM INT HUP
  cat "$home/SOUL.md" >"$work/soul" 2>/dev/null || : >"$work/soul"
  list_tools >"$work/tools"
  # Whole turns, the newest that fit.
  { [ ! -f "$thread" ] || cat "$thread"; } | jq -s --argjson most "$most_of_thread" --arg query "$query" '
    (.[0] // []) as $said | [range(0; ($said | length) + 1; 2) | $said[.:]] | map(select(tojson | utf8bytelength <= $most)) | first // []
    | . + [{role: "user", content: $query}]' >"$work/said" && cp "$work/said" "$work/kept" || exit 1
  while :; do
    ask_model
    [ -n "$status" ] || die "API call failed after 3 retries: Connection error. $(head -c 300 "$work/complaint")"
    [ "$status" = 200 ] || die "Error: HTTP $status: $(jq -r '.error.message // ""' "$work/answer" 2>/dev/null | head -c 300)"
    jq -e '.choices[0].message' "$work/answer" >"$work/message" || die 'Error: the model’s answer can’t be read.'
    calls=$(jq '(.tool_calls // []) | length' "$work/message")
    [ "$calls" -gt 0 ] || break
    [ "$rounds" -gt 0 ] || die 'Error: the model asked for tools again and again, and said nothing.'
    rounds=$((rounds - 1)) call=0
    add "$work/message"
    while [ "$call" -lt "$calls" ]; do
      name=$(jq -r ".tool_calls[$call].function.name" "$work/message")
      call_tool "$name" "$(jq -r ".tool_calls[$call].function.arguments" "$work/message")" >"$work/result"
      jq -n --arg id "$(jq -r ".tool_calls[$call].id" "$work/message")" --rawfile content "$work/result" \
        '{role: "tool", tool_call_id: $id, $content}' >"$work/told"
      add "$work/told"
      call=$((call + 1))
    done
  done
  jq -j '.content // ""' "$work/message" >"$work/reply" || exit 1
  jq --rawfile reply "$work/reply" '. + [{role: "assistant", content: $reply}]' "$work/kept" >"$work/thread" && mv -f "$work/thread" "$thread" || exit 1
  cat "$work/reply" || exit 1
  printf '\nsession_id: %s\n' "$session" >&2
  # The log is read by its end.
  if [ "$(wc -c 2>/dev/null <"$home/logs/agent.log")" -gt 1000000 ] 2>/dev/null; then
    tail -c 500000 "$home/logs/agent.log" >"$work/log" && mv -f "$work/log" "$home/logs/agent.log"
  fi
}

add() {
  jq --slurpfile one "$1" '. + $one' "$work/said" >"$work/more" && mv -f "$work/more" "$work/said" || exit 1
}

test_tools() {
  session=- work=$(mktemp -d "$home/work.XXXXXX") || exit 1
  trap 'rm -rf "$work"' EXIT
  list_tools >"$work/tools"
  if [ "$(cat "$work/tools")" = '[]' ]; then echo 'Connection failed'; else echo "Connected ($(jq length "$work/tools") tools)"; fi
}

case $1 in
--version) echo 'Shell Agent v1.0.0' ;;
doctor) curl --version >/dev/null && jq --version >/dev/null && [ -f "$config" ] && echo 'All is here.' ;;
mcp) test_tools ;;
sessions)
  case $3 in '' | *[!A-Za-z0-9_]*) exit 1 ;; esac
  rm "$home/sessions/$3.json"
  ;;
chat) shift && chat "$@" ;;
*) die 'usage: shell-agent {--version|doctor|mcp test NAME|sessions delete ID --yes|chat -Q [--resume ID] --query=TEXT}' ;;
esac
