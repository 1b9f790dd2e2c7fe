// `npm run demo`: the service on a fresh folder with a partner, a key, agents and a dozen customers, and what to paste.
// data/demo is wiped at each start and stays after the end, so that its mails can be read. DEMO_DIR names another one.
import { execFile, spawn, spawnSync } from 'node:child_process'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { startCallProvider } from './demo-calls.mjs'
import { demoCustomers } from './demo-customers.mjs'
import { openProvider } from './demo-model.mjs'
import { agentInstall, endProcesses, obstacle, openSandbox } from './demo-sandbox.mjs'
import { PARTNER_EMAIL, PASSWORD, seedDemo } from './demo-seed.mjs'

const USUAL_PORT = 8080
const root = join(import.meta.dirname, '..')
const folder = resolve(root, process.env.DEMO_DIR ?? 'data/demo')
const sandboxFolder = join(folder, 'server')
const cli = join(root, 'dist', 'servers', 'cli.js')
const pidFile = join(folder, 'demo.pid')
/** Lies in every folder that a demo made: no other one is wiped. */
const markFile = join(folder, '.demo')

/** As one would type it here. */
function shown(...parts) {
  const path = join(folder, ...parts)
  const fromHere = relative(process.cwd(), path)
  return fromHere.startsWith('..') ? path : fromHere || '.'
}

refuseSecondDemo()
refuseForeignFolder()
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.mjs'), '--if-needed'], {
  stdio: 'inherit'
})
if (status !== 0) process.exit(status ?? 1)
const provider = await openProvider(process.env).catch(refuse)
// Another one may have begun while this one was built.
refuseSecondDemo()
await endProcesses(sandboxFolder)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true, mode: 0o700 })
writeFileSync(markFile, '')
writeFileSync(pidFile, String(process.pid))

const callProvider = await startCallProvider()
const env = await demoEnvironment()
const service = startService()
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
let sandbox
try {
  const { url } = await service.ready
  const { partner, insider, call } = await seedDemo({ url, folder, mindgate, models: provider.model })
  const noAgent = await deployAgent(call, insider).catch(({ message }) => message)
  const envFile = join(folder, 'env')
  const variables = { MINDGATE_URL: url, MINDGATE_KEY: partner.key, PROVIDER_A_URL: callProvider.url }
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}\n`)
  writeFileSync(envFile, lines.join(''), { mode: 0o600 })
  if (!isStopping) console.log(welcome(url, partner, { ...insider, noAgent }))
} catch (error) {
  if (!isStopping) {
    console.error(
      `The demo could not be set up: ${error.message}\nThe service’s log: ${shown('service.log')}`
    )
    process.exitCode = 1
  }
  stop()
}
await service.exited
await sandbox?.stop()
provider.stop()
callProvider.stop()
rmSync(pidFile, { force: true })

/** The service would wait for an agent that is at work; without its server that ends soon. */
function stop() {
  isStopping = true
  service.stop()
  void sandbox?.stop()
}

/** Puts an agent for the customer on a server of the demo’s own. Answers why there is none, if there is none. */
async function deployAgent(call, { customerId, companyName }) {
  const why = obstacle(sandboxFolder)
  if (why) return why
  sandbox = await openSandbox(sandboxFolder)
  await sandbox.deploy(call, customerId, companyName)
  return undefined
}

function refuse({ message }) {
  console.error(message)
  process.exit(1)
}

/** Wiping the folder of a running demo would leave a service without its database. */
function refuseSecondDemo() {
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : process.pid
  if (pid === process.pid || !isAlive(pid)) return
  console.error(
    `A demo runs already (process ${pid}). Stop it with Ctrl-C, or set DEMO_DIR to another folder.`
  )
  process.exit(1)
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function refuseForeignFolder() {
  if (!existsSync(folder) || existsSync(markFile) || readdirSync(folder).length === 0) return
  console.error(`${folder} holds something that no demo made. Set DEMO_DIR to a folder that may be wiped.`)
  process.exit(1)
}

/** Nothing of a real installation may leak in but the model’s provider: the demo has its own database, key and outbox. */
async function demoEnvironment() {
  const { PATH, HOME, NO_COLOR = '' } = process.env
  return {
    ...{ PATH, HOME, NO_COLOR, DATA_DIR: folder, PORT: String(await choosePort()) },
    ...provider.env,
    PROVIDER_A_URL: callProvider.url,
    // The sandbox lies on loopback.
    ...{ SSH_ALLOW_PRIVATE: '1', CLI_AGENT_INSTALL: agentInstall }
  }
}

/** The usual port, or 0 for any free one when it is taken. */
function choosePort() {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(0))
    probe.listen(USUAL_PORT, '127.0.0.1', () => probe.close(() => done(USUAL_PORT)))
  })
}

function startService() {
  const child = spawn(process.execPath, [cli, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr.pipe(createWriteStream(join(folder, 'service.log')))
  const exited = new Promise((done) => {
    child.once('exit', done)
  })
  const firstLine = new Promise((done) => {
    createInterface({ input: child.stdout }).once('line', (line) => done(JSON.parse(line)))
  })
  const ended = exited.then((code) => {
    throw new Error(`the service ended with code ${code}`)
  })
  // Later ends are no error: somebody pressed Ctrl-C.
  ended.catch(() => undefined)
  return { ready: Promise.race([firstLine, ended]), exited, stop: () => child.kill('SIGTERM') }
}

/** Runs a command of the CLI beside the running service. */
async function mindgate(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args, '--json'], { env })
  return JSON.parse(stdout)
}

function welcome(url, { slug, key }, { email, noAgent }) {
  const gateway = `${url}/api/partner-mcp`
  const portal = `${url}/portal/${slug}`
  const chat = noAgent
    ? `without an agent this time: ${noAgent}`
    : `${portal}/chat\n             the same sign-in; the agent runs on a sandbox server, its model is ${provider.title}`
  return `
Mindgate runs at ${url} until Ctrl-C.

  Partner    ${slug}, with ${demoCustomers.length} customers
  Console    ${url}/console
             ${PARTNER_EMAIL}, password: ${PASSWORD}
  Portal     ${portal}
             ${email}, password: ${PASSWORD}
  Chat       ${chat}
  API key    ${key}
  Reference  ${url}/api/v1/mcp/reference
  Mails      ${shown('outbox')} (.eml files; none leaves this machine)
  Log        ${shown('service.log')}

Paste into another terminal, in this folder:

  source ${shown('env')}

  # The newest customers
  curl -s -H "Authorization: Bearer $MINDGATE_KEY" "$MINDGATE_URL/api/v1/mcp/customers?limit=3"

  # A new one, with an invite to the portal
  curl -s -H "Authorization: Bearer $MINDGATE_KEY" -H "Content-Type: application/json" \\
    -d '{"basic":{"email":"grace@hopper.example","firstName":"Grace"},"allowPortalAccess":true}' \\
    "$MINDGATE_URL/api/v1/mcp/customers/onboard"

From an MCP client:

  claude mcp add --transport http mindgate ${gateway} --header "Authorization: Bearer ${key}"

  npx @modelcontextprotocol/inspector --cli ${gateway} --transport http \\
    --header "Authorization: Bearer ${key}" --method tools/list

The operator's commands work beside it:

  DATA_DIR=${shown()} npx mindgate partner list
`
}
