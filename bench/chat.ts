// `npm run bench:chat`: what a chat takes beside the agent's own time, against OpenSSH's client with a control master
// that runs the same script on the same server.
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { chatScript } from '../src/catalog/chat.ts'
import { type ChatBenchFixture, setChatFixture } from './chat-fixture.ts'
import { startServiceUnpinned } from './processes.ts'

const HELP = `npm run bench:chat -- [options]

  --rounds <n>         chats of each side, in turn; the medians count (60)
  --json               answer with one line of JSON
  --help               this text

Ours is the whole request: session, instance, the message's row, the run over a kept connection, the reply's row. The
baseline is one \`ssh\` a message over a kept connection, and nothing else. Both wait for the same script and the same
agent, whose own time (a program that answers at once) is taken off both.
`

const GOAL = 1
const WARM_UP = 20
const MESSAGE = 'What is on today?'
const REPLY = 'The agent answers.'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
let runs = 0
const rounds = Number(values.rounds)
if (values.help || !Number.isInteger(rounds) || rounds < 1) {
  process.stdout.write(HELP)
  process.exit(values.help ? 0 : 1)
}

const fixture = await setChatFixture()
try {
  const service = await startServiceUnpinned(fixture)
  const sides = {
    ours: () => chat(service.url, fixture),
    openssh: () => overOpenSsh(fixture),
    agent: () => agentAlone(fixture)
  }
  const tookMs: Record<keyof typeof sides, number[]> = { ours: [], openssh: [], agent: [] }
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const side of ['ours', 'openssh', 'agent'] as const) {
      const startedAt = performance.now()
      await sides[side]()
      if (round >= 0) tookMs[side].push(performance.now() - startedAt)
    }
  }
  await endMaster(fixture)
  await service.stop()
  report({ ours: median(tookMs.ours), openssh: median(tookMs.openssh), agent: median(tookMs.agent) })
} finally {
  await fixture.remove()
}

async function chat(url: string, { instanceId, cookie }: ChatBenchFixture): Promise<void> {
  const answer = await fetch(`${url}/api/whitelabel/vps/instances/${instanceId}/cli-agent/chat`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ message: MESSAGE })
  })
  prove('The service', await answer.text())
}

function overOpenSsh(given: ChatBenchFixture): Promise<void> {
  runs += 1
  return run('ssh', [
    ...sshOptions(given),
    'sandbox',
    chatScript(given.paths, {
      ...{ timeoutMs: 55_000, limitMs: 1_800_000, thread: 'bench' },
      ...{ instance: given.instanceId, run: `bench-${runs}` }
    })
  ])
}

function agentAlone({ agent }: ChatBenchFixture): Promise<void> {
  return run(agent, ['chat', '-Q', '--continue', `--query=${MESSAGE}`])
}

async function endMaster(given: ChatBenchFixture): Promise<void> {
  const child = spawn('ssh', [...sshOptions(given), '-O', 'exit', 'sandbox'], { stdio: 'ignore' })
  await new Promise((resolve) => child.once('close', resolve))
}

/** The server's key was made a moment ago, on this machine: the first connection learns it. */
function sshOptions({ folder, files, sshd }: ChatBenchFixture): string[] {
  return [
    '-F',
    'none',
    ...Object.entries({
      HostName: sshd.host,
      Port: sshd.port,
      User: sshd.username,
      IdentityFile: files.privateKey,
      IdentitiesOnly: 'yes',
      UserKnownHostsFile: files.knownHosts,
      StrictHostKeyChecking: 'accept-new',
      ControlMaster: 'auto',
      ControlPath: join(folder, 'control'),
      ControlPersist: '60',
      BatchMode: 'yes',
      LogLevel: 'ERROR'
    }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  ]
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  // The agent alone doesn't read its input, and may have ended before it is written.
  child.stdin.on('error', () => undefined)
  child.stdin.end(MESSAGE)
  const [output] = await Promise.all([text(child.stdout), ended])
  prove(program, output)
}

function prove(who: string, output: string): void {
  if (!output.includes(REPLY)) throw new Error(`${who} has no reply: ${output.slice(0, 500)}`)
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function report({ ours, openssh, agent }: Record<'ours' | 'openssh' | 'agent', number>): void {
  const overheadMs = { ours: ours - agent, openssh: openssh - agent }
  const ratio = overheadMs.ours / overheadMs.openssh
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length }
  if (values.json) {
    process.stdout.write(
      `${JSON.stringify({ ...machine, rounds, agentMs: agent, overheadMs, ratio, goal: GOAL })}\n`
    )
    return
  }
  const lines = [
    `Node ${machine.node}, ${machine.cpu}, ${machine.cores} cores; medians of ${rounds} chats each, in turn.`,
    '',
    `a chat, all of it                       ${ms(ours)}`,
    `ssh with a control master, all of it    ${ms(openssh)}`,
    `the agent's own time, in both           ${ms(agent)}`,
    '',
    `overhead, ours / OpenSSH                ${ms(overheadMs.ours)} / ${ms(overheadMs.openssh).trim()} = ${ratio.toFixed(2)} (goal ≤ ${GOAL})`,
    ''
  ]
  process.stdout.write(lines.join('\n'))
}

function ms(value: number): string {
  return `${value.toFixed(1).padStart(7)} ms`
}
