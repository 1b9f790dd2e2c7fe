import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellQuote } from '../../../src/catalog/shell.ts'

const script = join(import.meta.dirname, 'hermes')

/**
 * A CLI_AGENT_INSTALL that puts the stand-in where the agent's own installer would. It goes by this process's Node, so
 * that a server without one can run it.
 */
export const standInInstall: string = [
  'mkdir -p "$HOME/.local/bin"',
  `printf '#!/bin/sh\\nexec %s "$@"\\n' ${shellQuote(`${shellQuote(process.execPath)} ${shellQuote(script)}`)} >"$HOME/.local/bin/hermes"`,
  'chmod 755 "$HOME/.local/bin/hermes"',
  '{ [ -z "$AGENT_RELEASE" ] || { mkdir -p "$HERMES_HOME/stand-in" && echo "$AGENT_RELEASE" >"$HERMES_HOME/stand-in/release"; }; }',
  // Its installer brings uv along, and leaves out what Telegram takes.
  'mkdir -p "$HOME/.local/share/hermes-agent/venv/bin"',
  'ln -sf /bin/sh "$HOME/.local/share/hermes-agent/venv/bin/python"',
  `printf '#!/bin/sh\\ncase $* in *"[messaging]") mkdir -p "$HERMES_HOME/stand-in" && : >"$HERMES_HOME/stand-in/messaging" ;; esac\\n' >"$HOME/.local/bin/uv"`,
  'chmod 755 "$HOME/.local/bin/uv"'
].join(' && ')

/** Gives the agent below a root an init, as a server of its own has one: its service is started by it. */
export function giveInit({ root, home }: { root: string; home: string }): void {
  mkdirSync(join(root, 'run/systemd/system'), { recursive: true })
  mkdirSync(join(home, '.local/bin'), { recursive: true })
  const systemctl = `#!/bin/sh\necho "$*" >>"$HERMES_HOME/systemctl.log"\ncase $1 in restart) [ ! -e "$HERMES_HOME/stand-in/hermes-gateway.service" ] || exec hermes gateway run ;; is-active) test -e "$HERMES_HOME/stand-in/hermes-gateway.service" ;; esac\n`
  writeFileSync(join(home, '.local/bin/systemctl'), systemctl, { mode: 0o755 })
}

/** What the stand-in shall run into from now on; see its own head for the faults. */
export function setFaults(agentHome: string, ...faults: readonly string[]): void {
  const home = join(agentHome, '.hermes')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'faults'), `${faults.join('\n')}\n`)
}

/** The messages that reached the stand-in, byte for byte, oldest first. */
export function receivedMessages(agentHome: string): Buffer[] {
  const folder = join(agentHome, '.hermes', 'stand-in')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith('message-'))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((name) => readFileSync(join(folder, name)))
}

/** When each chat of the stand-in began and ended, in milliseconds, in the order of their lines. */
export function agentRuns(agentHome: string): { event: string; pid: number; at: number }[] {
  const file = join(agentHome, '.hermes', 'stand-in', 'runs.log')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([event = '', pid, at]) => ({ event, pid: Number(pid), at: Number(at) }))
}
