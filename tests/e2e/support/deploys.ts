// Deploys as they stand in the middle, at a good end and at a bad one; nobody follows them.
import { fromNow, now } from '../../../src/clock.ts'
import { newId } from '../../../src/ids.ts'
import { stepsBefore, stepsFailed } from '../../../src/instances/deploy/progress.ts'
import { getInstance } from '../../../src/instances/store.ts'
import type { Service } from '../../../src/service.ts'
import { makeInstance } from '../../support/instances.ts'

/** One deploy and the server that it is on. */
export interface SeededDeploy {
  instanceId: string
  deployId: string
}

export type SeededDeploys = Record<'done' | 'running' | 'failed', SeededDeploy>

const WHY =
  '“Install the agent” failed: The install command ended with 6: curl: (6) Could not resolve host: raw.githubusercontent.com Check that this server reaches the internet and has what the installer needs, then deploy again.'

const LOG = [
  '09:12:41 == install',
  'Cloning the release v2026.5.29 …',
  '09:13:20 install: done. /usr/local/bin/hermes',
  '09:13:20 == version',
  '09:13:21 version: done. Hermes Agent v0.15.1 (2026.5.29)'
].join('\n')

export async function seedDeploys(
  service: Service,
  partnerId: string,
  { ready, customerId }: { ready: string; customerId: string }
): Promise<SeededDeploys> {
  const deploying = await makeInstance(service, partnerId, customerId, {
    name: 'Back office',
    host: 'vps-eu-7.northwind.example',
    root: '',
    status: 'deploying:cli-agent'
  })
  const failed = await makeInstance(service, partnerId, customerId, {
    name: 'Night desk',
    host: 'vps-eu-9.northwind.example',
    root: '',
    status: 'failed:cli-agent'
  })
  const steps = stepsBefore('install')
  const at = (count: number) =>
    steps.map((step, index) => ({
      ...step,
      state: index < count ? ('done' as const) : index === count ? ('running' as const) : ('pending' as const)
    }))
  return {
    done: await insert(service, partnerId, ready, {
      phase: 'succeeded',
      steps: JSON.stringify(
        steps.map((step) =>
          step.id === 'telegram'
            ? { ...step, state: 'skipped', detail: 'Not asked for.' }
            : { ...step, state: 'done' }
        )
      ),
      finishedAt: now()
    }),
    running: await insert(service, partnerId, deploying.id, {
      phase: 'running',
      steps: JSON.stringify(at(5)),
      // As if another machine followed it.
      leaseOwner: 'another/1/run',
      leaseExpiresAt: fromNow(3_600_000)
    }),
    failed: await insert(service, partnerId, failed.id, {
      phase: 'failed',
      steps: JSON.stringify(stepsFailed(at(3), WHY)),
      message: WHY,
      finishedAt: now()
    })
  }
}

interface Standing {
  phase: 'running' | 'succeeded' | 'failed'
  steps: string
  message?: string
  finishedAt?: string
  leaseOwner?: string
  leaseExpiresAt?: string
}

async function insert(
  service: Service,
  partnerId: string,
  instanceId: string,
  standing: Standing
): Promise<SeededDeploy> {
  const instance = await getInstance(service.database.read, partnerId, instanceId)
  const at = now()
  const deployId = newId('dep')
  await service.database.transaction((tx) =>
    tx
      .insertInto('deploy')
      .values({
        id: deployId,
        partnerId,
        instanceId,
        number: 1,
        statusBefore: instance.status,
        wipesFormer: 0,
        kind: 'install',
        settings: '{}',
        rolloutId: null,
        isReinstall: 0,
        businessName: 'Clínica Sol',
        model: 'auto',
        attempt: 1,
        keyAlias: null,
        keyRevokedAt: null,
        memoryScopes: '["memory:read","memory:write"]',
        tokenId: null,
        sealedTelegram: null,
        log: LOG,
        logOffset: LOG.length,
        message: '',
        leaseOwner: null,
        leaseExpiresAt: null,
        createdAt: at,
        finishedAt: null,
        ...standing
      })
      .execute()
  )
  return { instanceId, deployId }
}
