// A real service, real OpenSSH, the real scripts, and the stand-in agent in as many sandboxes as a test asks for.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configYaml } from '../../src/catalog/configuration.ts'
import { type AppPaths, appPaths } from '../../src/catalog/paths.ts'
import { newId } from '../../src/ids.ts'
import type { InstanceRow } from '../../src/instances/store.ts'
import { makePortalCustomer } from '../portal/customer-visitors.ts'
import { setFaults, standInInstall } from '../support/agent/stand-in.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { processesIn as processesInFolder, type Sshd, startSshd } from '../support/openssh.ts'
import { type ChatClient, chatClient } from './chat-client.ts'

export interface Sandbox {
  instance: InstanceRow
  paths: AppPaths
  /** HOME of the agent. */
  home: string
  chat: ChatClient
  /** Beside `offline`: the agent answers by itself, without a gateway. */
  fault(...faults: string[]): void
  /** Puts a script in the stand-in's place: a shell begins at once on the busiest machine, as no Node does. */
  replaceAgent(script: string): void
  /** An agent that notes each of its beginnings and answers once it is let go; `first` is what it does before. */
  holdAgent(first?: string): void
  letGo(): void
  /** The messages that it has begun with since. */
  begunWith(): string[]
  markReady(): void
}

export interface ChatFixture {
  server: TestServer
  sshd: Sshd
  /** A sandbox with the agent ready in it, of a customer of its own who is signed in. */
  sandbox(columns?: Partial<InstanceRow>): Promise<Sandbox>
  close(): Promise<void>
}

/** For tests over SSH: the busiest machine gets there, and a quiet one doesn't wait. */
export const PATIENT = { timeout: 240_000 }

/** Longer than any of these tests needs. */
const CHAT_TIMEOUT_MS = 120_000

export async function startChatFixture(
  kind: DatabaseKind,
  {
    sshd: options = {},
    ...overrides
  }: { sshd?: Parameters<typeof startSshd>[0] } & Record<string, unknown> = {}
): Promise<ChatFixture> {
  const sshd = await startSshd(options)
  const server = await startTestServer(kind, {
    SSH_ALLOW_PRIVATE: '1',
    SSH_CONNECT_TIMEOUT_MS: '30000',
    CHAT_TIMEOUT_MS: String(CHAT_TIMEOUT_MS),
    ...Object.fromEntries(Object.entries(overrides).map(([name, value]) => [name, String(value)]))
  })
  return {
    server,
    sshd,
    async sandbox(columns = {}) {
      const { customerId, owner } = await makePortalCustomer(server)
      const { host, port, username, hostKey } = sshd
      const root = join(sshd.root, newId('box'))
      const instance = await makeInstance(server.service, server.partner.partnerId, customerId, {
        ...{ host, port, username, hostKey, root, status: 'cli-agent', ...columns }
      })
      sshd.authorize(instance.publicKey)
      return makeSandbox(instance, chatClient(server.url, owner.identity.cookie, instance.id))
    },
    async close() {
      await server.close()
      await sshd.remove()
    }
  }
}

/** The agent ready on that server. */
export function makeSandbox(instance: InstanceRow, chat: ChatClient): Sandbox {
  const paths = appPaths(instance.root)
  const { home } = paths
  for (const folder of [paths.stateDir, home]) mkdirSync(folder, { recursive: true })
  execFileSync('sh', ['-c', standInInstall], { env: { PATH: process.env.PATH ?? '', HOME: home } })
  const sandbox: Sandbox = {
    instance,
    paths,
    home,
    chat,
    fault: (...faults) => setFaults(home, 'offline', ...faults),
    replaceAgent(script) {
      const agent = join(home, '.local/bin/hermes')
      mkdirSync(dirname(agent), { recursive: true })
      writeFileSync(agent, `#!/bin/sh\n${script}`)
      chmodSync(agent, 0o755)
    },
    holdAgent(first = '') {
      rmSync(join(home, 'go'), { force: true })
      sandbox.replaceAgent(first + HELD)
    },
    letGo: () => writeFileSync(join(home, 'go'), ''),
    begunWith() {
      const file = join(home, 'begun')
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
    },
    markReady: () => {
      writeFileSync(join(paths.stateDir, 'instance'), `${instance.id} ${instance.customerId}\n`)
      writeFileSync(paths.marker, 'dep_test\n')
    }
  }
  sandbox.fault()
  // As a deploy configures it: left to itself the agent loses every tenth reply.
  writeFileSync(join(home, '.hermes/config.yaml'), configYaml({ ...CONFIGURED, deployId: instance.id }))
  sandbox.markReady()
  return sandbox
}

const CONFIGURED = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-none', model: 'auto' }

const HELD = `for argument; do case $argument in --query=*) query=\${argument#--query=} ;; esac; done
query=\${query%%"

[Files "*}
echo "$query" >>"$HOME/begun"
until [ -e "$HOME/go" ]; do sleep 0.1; done
echo "You said: $query"
`

/** An agent that does that with the folder that it was told of, and says “done”. */
export const writing = (
  does: string
): string => `for argument; do case $argument in --query=*) query=\${argument#--query=} ;; esac; done
out=\${query##*go into }
out=\${out%/]}
${does}
echo done
`

/** Processes of this machine that work in the sandbox: their command or their environment names its folder. */
export const processesIn = ({ instance: { root } }: Sandbox): { pid: number; command: string }[] =>
  processesInFolder(root)
