// The demo’s sandbox: an OpenSSH server on loopback with a home of its own, and on it the stand-in agent, deployed by
// the operations that every partner has.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findSshd, startOpenSsh } from './sshd.mjs'

const DEPLOYED_WITHIN_MS = 180_000
const POLL_MS = 200
const agent = join(import.meta.dirname, '..', 'tests', 'support', 'agent', 'hermes')

/** For CLI_AGENT_INSTALL. It goes by this Node, which the sandbox’s PATH may not have. */
export const agentInstall = [
  'mkdir -p "$HOME/.local/bin"',
  `printf '#!/bin/sh\\nexec %s "$@"\\n' ${quote(`${quote(process.execPath)} ${quote(agent)}`)} >"$HOME/.local/bin/hermes"`,
  'chmod 755 "$HOME/.local/bin/hermes"'
].join(' && ')

/** Why there can be no sandbox in that folder, and what to do about it. */
export function obstacle(root) {
  if (process.platform !== 'linux') return 'it needs Linux, as customers’ servers do'
  if (!findSshd()) return 'install OpenSSH’s server (Debian, Ubuntu: apt-get install openssh-server)'
  // The folder’s path ends up in scripts, so an instance’s root takes nothing else.
  if (!/^(?:\/[A-Za-z0-9._-]+)+$/.test(root))
    return `set DEMO_DIR to a path of plain characters, unlike ${root}`
  return undefined
}

/**
 * Starts the server in `root`, an empty folder.
 *
 * `deploy` registers it for a customer and deploys the agent; `call` asks the partner API. `stop` leaves no process.
 */
export async function openSandbox(root) {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const sshd = await startOpenSsh({ root })
  // Where a user has its own: the service rotates its key there.
  mkdirSync(join(sshd.home, '.ssh'), { mode: 0o700 })
  symlinkSync(join(root, 'authorized_keys'), join(sshd.home, '.ssh/authorized_keys'))
  return {
    deploy: (call, customerId, businessName) => deploy({ sshd, call }, customerId, businessName),
    async stop() {
      await sshd.stop()
      await endProcesses(root)
    }
  }
}

async function deploy({ sshd, call }, customerId, businessName) {
  const { host, port, username, hostKey, root } = sshd
  const place = { host, port, username, hostKey, root, name: 'Sandbox of the demo' }
  const { data } = await call('POST', '/instances', { customerId, ...place })
  sshd.authorize(data.publicKey)
  const path = `/instances/${data.instanceId}/cli-agent/deploy`
  await call('POST', path, { businessName })
  for (const startedAt = Date.now(); Date.now() - startedAt < DEPLOYED_WITHIN_MS; await sleep(POLL_MS)) {
    const { state, message } = (await call('GET', path)).data
    if (state === 'failed') throw new Error(message)
    if (state === 'succeeded') return data.instanceId
  }
  throw new Error('its deploy took too long')
}

/**
 * Ends whatever is left of a sandbox: a deploy’s script outlives its session on purpose, and a demo that was killed can’t
 * have stopped its server.
 */
export async function endProcesses(root) {
  const isOurs = ({ environment, command }) =>
    environment.includes(`HOME=${join(root, 'home')}`) || command.includes(join(root, 'sshd_config'))
  for (;;) {
    const left = processes().filter(isOurs)
    if (left.length === 0) return
    for (const { pid } of left) end(pid)
    await sleep(20)
  }
}

function processes() {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({
      pid: Number(pid),
      environment: listIn(pid, 'environ'),
      command: listIn(pid, 'cmdline')
    }))
}

/** Nothing for a process that has ended or is another user’s. */
function listIn(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function quote(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
