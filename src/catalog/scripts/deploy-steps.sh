# The steps of a deploy, each of them repeatable. A step sets detail, and outcome when that isn't "done", or it calls
# fail. What it prints is the log.
[ -z "$app_home" ] || export HERMES_INSTALL_DIR="$HOME/.local/share/hermes-agent"

step_install() {
  before=$(wc -c <"$dir/log")
  code=0
  # What it installs is for every user of this server.
  (umask 022 && exec timeout -k 10 1800 sh "$dir/install.sh" </dev/null) || code=$?
  [ "$code" = 0 ] || fail "The install command ended with $code: $(last_lines "$before") Check that this server reaches the internet and has what the installer needs, then deploy again."
  hash -r
  command -v "$program" >/dev/null || fail "The install command ended well, but there is no $program in $PATH. Check CLI_AGENT_INSTALL."
  detail=$(command -v "$program")
}

step_version() {
  detail=$(timeout -k 2 60 "$program" --version </dev/null 2>&1)
  detail=$(printf '%s\n' "$detail" | head -n 1 | redacted)
  version=$(printf '%s\n' "$detail" | sed -n 's/.*v\([0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*\).*/\1/p')
  [ -n "$version" ] || fail "The agent doesn’t tell its version: $detail"
  is_at_least "$version" "$least_version" ||
    fail "The agent is of version $version; $least_version or later is needed. Check CLI_AGENT_INSTALL."
}

is_at_least() {
  set -- $(printf '%s.%s\n' "$1" "$2" | tr . ' ')
  [ "$1" -eq "$4" ] || { [ "$1" -gt "$4" ]; return; }
  [ "$2" -eq "$5" ] || { [ "$2" -gt "$5" ]; return; }
  [ "$3" -ge "$6" ]
}

# History and skills, without what holds keys.
step_backup() {
  [ -n "$is_reinstall" ] && [ -d "$AGENT_HOME" ] || { outcome=skipped detail='Nothing to back up yet.'; return; }
  mkdir -p "$backup_dir"
  backup=$backup_dir/$deploy_id.tar.gz
  code=0
  tar -czf "$backup.new" -C "$AGENT_HOME" --exclude='./config.yaml*' --exclude='./.env*' --exclude=./hermes-agent . || code=$?
  # 1: a file changed while it was read, as logs do.
  [ "$code" -le 1 ] || fail "The agent’s home could not be backed up: tar ended with $code. Check the disk’s free space."
  mv -f "$backup.new" "$backup"
  ls -t "$backup_dir"/*.tar.gz | tail -n +4 | xargs -r rm -f
  detail=$backup
}

step_configure() {
  mkdir -p "$AGENT_HOME" && chmod 700 "$AGENT_HOME"
  config=$AGENT_HOME/config.yaml
  if [ -f "$config" ] && ! grep -q "^# Written by deploy " "$config"; then put "$config" "$config.before-deploy"; fi
  configure_by config.yaml
  detail=$config
}

# Its scheduler lives in its service: without that it takes on what it never does.
configure_by() {
  [ -d "$init" ] || grep -q '^agent:' "$dir/$1" || printf 'agent:\n  disabled_toolsets: [cronjob]\n' >>"$dir/$1"
  put "$dir/$1" "$AGENT_HOME/config.yaml" || fail "$AGENT_HOME/config.yaml could not be written."
}

step_persona() {
  put "$dir/SOUL.md" "$AGENT_HOME/SOUL.md" || fail "$AGENT_HOME/SOUL.md could not be written."
  detail=$AGENT_HOME/SOUL.md
}

# Best effort: the agent is of use without them. One that can't be reached would slow each chat down, so it goes.
step_mcp() {
  [ -n "$mcp_name" ] || { outcome=skipped detail='Whoever deployed it lacks the scopes memory:read and memory:write.'; return; }
  configure_by config-mcp.yaml
  began=$(date +%s)
  while :; do
    # Of what it prints only the verdict is kept: the rest shows a part of the token.
    verdict=$(timeout -k 2 60 "$program" mcp test "$mcp_name" </dev/null 2>&1 | grep -e 'Connected (' -e 'Connection failed' | tail -n 1)
    case $verdict in
    *'Connection failed'*) ;;
    '') detail='Registered.'; return ;;
    *) detail='Registered and reached.'; return ;;
    esac
    may_try_again $((patience / 4)) || break
  done
  configure_by config.yaml
  outcome=warned
  detail="The agent works without the memory tools: this server can’t reach them at $mcp_url. Deploy again once it can."
}

# A service that restarts is away for a moment.
may_try_again() {
  [ $(($(date +%s) - began)) -lt "$1" ] && sleep 2
}

# What keeps appointments of the agent's own, and talks with Telegram. It holds the key that the former deploy made.
step_service() {
  [ -n "$has_gateway" ] || { outcome=skipped detail='This agent has none.'; return; }
  if [ ! -d "$init" ]; then
    outcome=skipped detail='No systemd here for this agent alone, so it can’t promise to do things by the clock.'
    return
  fi
  code=0
  printf 'y\ny\n' | timeout -k 5 180 $as_root env "HOME=$HOME" "$home_variable=$AGENT_HOME" "PATH=$PATH" \
    "$(command -v "$program")" gateway install --system --run-as-user "$(id -un)" >"$dir/out" 2>&1 || code=$?
  redacted <"$dir/out"
  problem=$(grep -v '^[[:space:]]*$' "$dir/out" | tail -n 1 | head -c 300 | redacted)
  rm -f "$dir/out"
  if [ "$code" = 0 ] && gateway_service restart && gateway_service is-active >/dev/null; then
    detail=$program-gateway.service
    return
  fi
  outcome=warned
  detail="The chat works, but what the agent promises to do by the clock is never done: its service doesn’t run. $problem"
}

# Done when the agent's own word is that it is connected: its installer leaves out what that takes, and says nothing.
step_telegram() {
  [ -n "$has_telegram" ] || { outcome=skipped detail='Not asked for.'; return; }
  env_file=$AGENT_HOME/.env
  {
    [ ! -f "$env_file" ] || grep -v -e '^TELEGRAM_BOT_TOKEN=' -e '^TELEGRAM_ALLOWED_USERS=' \
      -e '^TELEGRAM_GROUP_ALLOWED_CHATS=' -e '^TELEGRAM_HOME_CHANNEL=' "$env_file"
    cat "$dir/telegram.env"
  } >"$env_file.new"
  mv -f "$env_file.new" "$env_file"
  outcome=warned
  detail='The chat in the portal works, but Telegram isn’t connected: it takes a systemd for this agent alone.'
  [ -d "$init" ] || return
  add_messaging || echo 'What Telegram takes could not be installed.'
  gateway_log=$AGENT_HOME/logs/gateway.log
  before=$(wc -c 2>/dev/null <"$gateway_log") || before=0
  rm -f "$AGENT_HOME/gateway_state.json"
  gateway_service restart
  began=$(date +%s)
  until tr -d ' \n' 2>/dev/null <"$AGENT_HOME/gateway_state.json" | grep -q '"telegram":{[^}]*"state":"connected"'; do
    if ! may_try_again $((patience / 3)); then
      problem=$(tail -c +$((before + 1)) "$gateway_log" 2>/dev/null | grep -i telegram | tail -n 1 | head -c 300 | redacted)
      detail="The chat in the portal works, but Telegram isn’t connected. ${problem:-The agent’s service doesn’t say why.}"
      return
    fi
  done
  outcome=done detail='Connected.'
}

add_messaging() {
  for folder in "${HERMES_INSTALL_DIR:-}" /usr/local/lib/hermes-agent "$AGENT_HOME/hermes-agent"; do
    [ -x "$folder/venv/bin/python" ] || continue
    (umask 022 && PATH=$AGENT_HOME/bin:$PATH &&
      exec timeout -k 10 600 uv pip install --python "$folder/venv/bin/python" -e "$folder[messaging]" </dev/null)
    return
  done
  return 1
}

# Tells about the surroundings; by the agent's own word not a gate.
step_health() {
  code=0
  timeout -k 5 120 "$program" doctor </dev/null >"$dir/out" 2>&1 || code=$?
  redacted <"$dir/out"
  [ "$code" = 0 ] || { outcome=warned detail="$program doctor ended with $code: $(tail -n 1 "$dir/out" | redacted)"; }
  rm -f "$dir/out"
}

# Its session is deleted, so that the agent's own list shows nothing that nobody said.
step_smoke() {
  agent_log=$AGENT_HOME/logs/agent.log
  before=$(wc -c 2>/dev/null <"$agent_log") || before=0
  began=$(date +%s)
  while :; do
    ask_once
    [ "$code" != 0 ] || [ -z "$reply" ] || break
    case $problem in
    # Busy or away, unlike an Error: that refuses for good.
    *429* | *' 50'[0-9]*) ;;
    Error:*) break ;;
    esac
    echo "No answer yet: $problem"
    may_try_again "$patience" || break
  done
  [ "$code" = 0 ] && [ -n "$reply" ] || fail "The agent gave no answer: $problem Check that this server reaches the AI gateway at $base_url."
  if [ -f "$agent_log" ] && tail -c +$((before + 1)) "$agent_log" | grep -q 'SOUL\.md blocked'; then
    outcome=warned
    detail='The agent answers, but its own filter refuses the persona because of a word in the business name or the instructions. Choose others.'
    return
  fi
  detail="It answered: $(printf '%s' "$reply" | head -n 1 | head -c 200 | redacted)"
}

ask_once() {
  code=0
  timeout -k 5 180 "$program" chat -Q --query='Reply with one word: ready' </dev/null >"$dir/out" 2>"$dir/err" || code=$?
  reply=$(grep -v '^[[:space:]]*$' "$dir/out" | head -c 4096)
  asked=$(sed -n 's/^session_id:[[:space:]]*\([A-Za-z0-9_.:-]*\).*/\1/p' "$dir/err" | tail -n 1)
  [ -z "$asked" ] || timeout -k 2 60 "$program" sessions delete "$asked" --yes </dev/null >/dev/null 2>&1 || :
  problem=$(cat "$dir/out" "$dir/err" | grep -v -e '^[[:space:]]*$' -e '^session_id:' | tail -n 1 | head -c 300 | redacted)
  case $code in 124 | 137) problem='It took longer than three minutes.' ;; esac
  [ -n "$problem" ] || problem='The reply was empty.'
  rm -f "$dir/out" "$dir/err"
}

step_finish() {
  remove_secrets
  rm -rf "$dir/former"
  ls -td "$deploy_dir"/*/ | grep -v -F "$dir/" | tail -n +5 | xargs -r rm -rf
}

# Last of all, and whole or not at all.
write_marker() {
  printf '%s\n' "$deploy_id" >"$marker.new" && chmod 644 "$marker.new" || return
  sync "$marker.new" 2>/dev/null || sync
  mv -f "$marker.new" "$marker" || return
  sync "$state_dir" 2>/dev/null || sync
}
