// A real OpenSSH server of its own keys and configuration on loopback: for the tests, and for the demo’s sandbox.
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const HOST = '127.0.0.1'
/** Below the ports that systems hand out for outgoing connections, so that a stopped server’s port stays free. */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000
const PORTS_TO_TRY = 20
const READY_WITHIN_MS = 20_000

const running = new Set()
// Whoever forgets one doesn't leave it running.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export const HOW_TO = `OpenSSH’s server is needed. Install it (Debian: apt-get install openssh-server; macOS has it),
or point SSHD at the program.`

/** Where sshd is, if it is here. It wants to be called by its whole path. */
export function findSshd() {
  const folders = ['/usr/sbin', '/usr/local/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  const candidates = [process.env.SSHD ?? '', ...folders.filter(Boolean).map((each) => join(each, 'sshd'))]
  return candidates.find((path) => path !== '' && existsSync(path))
}

/** Installs it where that goes without asking: as root on Debian. */
export function installSshd() {
  if (findSshd() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  // policy-rc.d and systemd are none of ours; at most a server on port 22 that the package starts by itself.
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  execFileSync('apt-get', ['update', '-q'], options)
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'openssh-server'], options)
}

/**
 * Starts a server in `root`, an empty folder. Its sessions are this user’s, with `root/home` for a home.
 *
 * `config` has further lines for sshd_config, which win over the usual ones.
 */
export async function startOpenSsh({ root, port, config = [], env = {} }) {
  const program = findSshd()
  if (!program) throw new Error(HOW_TO)
  const files = {
    hostKey: join(root, 'host_key'),
    config: join(root, 'sshd_config'),
    authorized: join(root, 'authorized_keys'),
    log: join(root, 'sshd.log'),
    home: join(root, 'home')
  }
  mkdirSync(files.home, { recursive: true, mode: 0o700 })
  writeFileSync(files.authorized, '', { mode: 0o600 })
  writeFileSync(files.log, '')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'sandbox', '-f', files.hostKey])
  // Debian makes it at boot, and a container has none.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })

  const server = { child: undefined, port }
  const launch = async (chosen) => {
    writeFileSync(files.config, configText({ files, port: chosen, config, env }))
    server.child = spawn(program, ['-D', '-f', files.config, '-E', files.log], { stdio: 'ignore' })
    noteRunning(server.child)
    if (!(await listens(server.child, chosen))) return false
    server.port = chosen
    return true
  }
  const choices = port ? [port] : Array.from({ length: PORTS_TO_TRY }, randomPort)
  if (!(await firstThat(choices, launch))) throw new Error(`sshd did not start:\n${tail(files.log)}`)

  return {
    host: HOST,
    get port() {
      return server.port
    },
    get pid() {
      return server.child.pid
    },
    username: userInfo().username,
    hostKey: execFileSync('ssh-keygen', ['-lf', `${files.hostKey}.pub`], { encoding: 'utf8' }).split(' ')[1],
    root,
    home: files.home,
    authorize: (publicKey) => appendFileSync(files.authorized, `${publicKey.trim()}\n`),
    /** What it has logged so far. */
    log: () => readFileSync(files.log, 'utf8'),
    /** How many clients have signed in so far. */
    handshakes: () => readFileSync(files.log, 'utf8').match(/Accepted publickey/g)?.length ?? 0,
    /** Ends the server and each of its connections, and lets it say goodbye. */
    stop: () => end(server.child, 'SIGTERM'),
    /** Ends them as a crash would. */
    kill: () => end(server.child, 'SIGKILL'),
    /** Starts it again on the same port, with the same keys. */
    async start() {
      const again = await firstThat(Array(PORTS_TO_TRY).fill(server.port), launch)
      if (!again) throw new Error(`sshd did not start again:\n${tail(files.log)}`)
    }
  }
}

function configText({ files, port, config, env }) {
  const variables = Object.entries({ HOME: files.home, ...env }).map(([name, value]) => `"${name}=${value}"`)
  const usual = [
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'PrintMotd no',
    'UseDNS no',
    'LogLevel VERBOSE',
    // Bursts of tests are no attack.
    'MaxStartups 100',
    'Subsystem sftp internal-sftp'
  ]
  const keyword = (line) => line.split(' ')[0]
  const isGiven = (line) => config.some((other) => keyword(other) === keyword(line))
  return [
    `ListenAddress ${HOST}:${port}`,
    `HostKey ${files.hostKey}`,
    `AuthorizedKeysFile ${files.authorized}`,
    `SetEnv ${variables.join(' ')}`,
    ...config,
    ...usual.filter((line) => !isGiven(line)),
    ''
  ].join('\n')
}

function noteRunning(child) {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

async function firstThat(choices, attempt) {
  for (const choice of choices) if (await attempt(choice)) return true
  return false
}

const randomPort = () => FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT))

/** Whether the child itself came to listen; it ends at once where the port is another’s. */
async function listens(child, port) {
  const gone = new Promise((done) => {
    child.once('exit', () => done(false))
    child.once('error', () => done(false))
  })
  const deadline = performance.now() + READY_WITHIN_MS
  const isUp = async () => {
    while (performance.now() < deadline && child.exitCode === null) {
      if (await accepts(port)) return true
      await sleep(20)
    }
    return false
  }
  // Where another one answers on the port, sshd has failed to bind it: its exit must be heard first.
  const up = await Promise.race([gone, isUp()])
  if (!up) return false
  await Promise.race([gone, sleep(50)])
  return child.exitCode === null && child.signalCode === null
}

function accepts(port) {
  return new Promise((done) => {
    const socket = connect(port, HOST)
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function end(child, signal) {
  const exited =
    child.exitCode === null && child.signalCode === null
      ? new Promise((done) => child.once('exit', done))
      : Promise.resolve()
  // Each connection is a process of sshd’s own, which outlives the one that listens.
  const connections = sshdsUnder(child.pid)
  child.kill(signal)
  await exited
  for (const pid of connections) signalOne(pid, signal)
  while (connections.some(isRunning)) await sleep(10)
}

function signalOne(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

function sshdsUnder(pid) {
  const all = processes()
  const below = (parent) =>
    all
      .filter((each) => each.parent === parent && each.name.startsWith('sshd'))
      .flatMap((each) => [...below(each.pid), each.pid])
  return below(pid)
}

function isRunning(pid) {
  const one = processOf(String(pid))
  return one !== undefined && one.state !== 'Z'
}

function processes() {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(processOf)
    .filter(Boolean)
}

function processOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, name = ''] = /\((.*)\)/s.exec(text) ?? []
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { pid: Number(pid), name, state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

const tail = (file) => readFileSync(file, 'utf8').split('\n').slice(-8).join('\n')
