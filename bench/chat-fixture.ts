// A customer who is signed in, and a server of its own over real OpenSSH with an agent that answers at once.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OnboardCustomer } from '../schemas/customer.ts'
import { startOpenSsh } from '../scripts/sshd.mjs'
import { type AppPaths, appPaths } from '../src/catalog/paths.ts'
import { now } from '../src/clock.ts'
import { loadConfig } from '../src/config.ts'
import { addCustomer, toNewCustomer } from '../src/customers/new-customer.ts'
import { updateCustomer } from '../src/customers/store.ts'
import type { WriteHandle } from '../src/database/database.ts'
import { newId } from '../src/ids.ts'
import { makeKeyPair } from '../src/instances/ssh/key-pair.ts'
import { insertInstance, privateKeyContext } from '../src/instances/store.ts'
import { createLog } from '../src/log.ts'
import { insertPartner } from '../src/partners/store.ts'
import { addIdentity } from '../src/portal-access/identities.ts'
import { beginSession } from '../src/portal-access/sessions.ts'
import { openService } from '../src/service.ts'

export interface ChatBenchFixture {
  /** The environment of a service that works here. */
  env: Record<string, string>
  folder: string
  instanceId: string
  /** Of the customer's session. */
  cookie: string
  sshd: { host: string; port: number; username: string }
  /** The instance's own key and the server's, as OpenSSH's client reads them. */
  files: { privateKey: string; knownHosts: string }
  paths: AppPaths
  /** The agent's own program. */
  agent: string
  remove(): Promise<void>
}

const AGENT = `#!/bin/sh
echo "The agent answers."
echo "session_id: bench" >&2
`

export async function setChatFixture(): Promise<ChatBenchFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-bench-'))
  const sshdRoot = join(folder, 'sshd')
  const root = join(folder, 'sandbox')
  const paths = appPaths(root)
  const agent = join(paths.home, '.local/bin/hermes')
  for (const each of [sshdRoot, paths.stateDir, join(paths.home, '.local/bin')]) {
    mkdirSync(each, { recursive: true })
  }
  writeFileSync(agent, AGENT)
  chmodSync(agent, 0o755)
  writeFileSync(paths.marker, 'bench\n')

  const server = await startOpenSsh({ root: sshdRoot })
  const { publicKey, privateKey } = makeKeyPair('bench')
  server.authorize(publicKey)
  const files = { privateKey: join(folder, 'key'), knownHosts: join(folder, 'known_hosts') }
  writeFileSync(files.privateKey, privateKey, { mode: 0o600 })

  const env = { DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'info', SSH_ALLOW_PRIVATE: '1' }
  const service = await openService(loadConfig(env), createLog('silent'))
  const id = newId('ins')
  const cookie = await service.database.transaction(async (tx) => {
    const { partnerId, customerId, token } = await signIn(tx)
    await insertInstance(tx, {
      ...{ id, partnerId, customerId, name: 'bench', root, publicKey, status: 'cli-agent' },
      ...{ host: server.host, port: server.port, username: server.username, hostKey: server.hostKey },
      privateKeySealed: service.secrets.seal(privateKey, privateKeyContext(id)),
      ...{
        jumpHostKey: null,
        machineId: null,
        agentName: null,
        model: null,
        settings: '{}',
        createdAt: now(),
        updatedAt: now()
      }
    })
    return `mindgate_portal=${token}`
  })
  await service.close()
  return {
    ...{ env, folder, instanceId: id, cookie, sshd: server, files, paths, agent },
    async remove() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** A customer and its owner's session. */
async function signIn(tx: WriteHandle): Promise<{ partnerId: string; customerId: string; token: string }> {
  const email = 'owner@clinic.example'
  const { partnerId } = await insertPartner(tx, { name: 'Bench Voice', email: 'ops@bench.example' })
  const intake = OnboardCustomer.parse({ basic: { email } })
  const { id: customerId } = await addCustomer(tx, partnerId, toNewCustomer(intake))
  const identityId = await addIdentity(tx, partnerId, email)
  await updateCustomer(tx, partnerId, customerId, {
    ...{ ownerIdentityId: identityId, credentialStatus: 'active', customerPortalEnabled: 1 }
  })
  const token = await beginSession(tx, {
    ...{ site: 'portal', partnerId, identityId, userAgent: 'bench', mustChangePassword: false },
    membership: { customerId, teamMemberId: null }
  })
  return { partnerId, customerId, token }
}
