// What the follower of a deploy writes, it writes by its lease.
import type { Insertable } from 'kysely'
import { z } from 'zod'
import { AgentSettings } from '../../../schemas/agent-settings.ts'
import type { Scope } from '../../../schemas/api-key.ts'
import type { InstanceStatus } from '../../../schemas/app.ts'
import type { DeployKind } from '../../catalog/deploy.ts'
import { now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import { changeWhere, rowsWhere } from '../../database/known.ts'
import type { Flag, Tables } from '../../database/tables.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import type { InstanceRow } from '../store.ts'
import { stepsBefore } from './progress.ts'

type DeployRow = Tables['deploy']

export type Telegram = z.output<typeof Telegram>
export const Telegram = z.object({ botToken: z.string(), chatId: z.string() })

export interface NewDeploy {
  instance: InstanceRow
  /** `configure`: what the agent is told and its keys, of one that is there. */
  kind?: DeployKind
  businessName: string
  /** In place of the instance's, once the deploy has got through. */
  settings?: AgentSettings
  rolloutId?: string
  telegram: Telegram | undefined
  wipesFormer?: boolean
  /** Of whoever deploys; the agent's token gets them. */
  memoryScopes: readonly Scope[]
}

/** The caller has moved the instance's status in the same transaction, so there is no other deploy under way. */
export async function newDeployRow(
  tx: WriteHandle,
  secrets: Secrets,
  { instance, kind = 'install', businessName, telegram, memoryScopes, ...wanted }: NewDeploy
): Promise<Omit<Insertable<DeployRow>, 'leaseOwner' | 'leaseExpiresAt'>> {
  const id = newId('dep')
  const createdAt = now()
  const { partnerId, id: instanceId } = instance
  const former = await newestDeploy(tx, partnerId, instanceId)
  if (former) await changeWhere(tx, 'deploy', { id: former.id }).set({ supersededAt: createdAt }).execute()
  return {
    id,
    partnerId,
    instanceId,
    number: (former?.number ?? 0) + 1,
    phase: 'preparing',
    statusBefore: instance.status,
    isReinstall: former ? 1 : 0,
    wipesFormer: wanted.wipesFormer ? 1 : 0,
    kind,
    settings: wanted.settings ? JSON.stringify(wanted.settings) : instance.settings,
    rolloutId: wanted.rolloutId ?? null,
    businessName,
    attempt: 0,
    memoryScopes: JSON.stringify(memoryScopes),
    sealedTelegram: telegram ? secrets.seal(JSON.stringify(telegram), sealContext(id)) : null,
    steps: JSON.stringify(stepsBefore(kind)),
    log: '',
    logOffset: 0,
    message: '',
    createdAt
  }
}

/** What the agent on that instance, or of that deploy, was told beyond its name. */
export const readSettings = ({ settings }: { settings: string }): AgentSettings =>
  AgentSettings.parse(JSON.parse(settings))

export const sealContext = (deployId: string): string => `deploy:${deployId}`

export const deploysOf = (db: ReadHandle, partnerId: string, instanceId: string) =>
  rowsWhere(db, 'deploy', { partnerId, instanceId })

export const newestDeploy = async (db: ReadHandle, partnerId: string, instanceId: string) =>
  deploysOf(db, partnerId, instanceId).selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()

/** @throws ServiceError `not_found`, for a deploy of another partner or instance as for none */
export async function getDeploy(db: ReadHandle, partnerId: string, instanceId: string, deployId: string) {
  const row = await deploysOf(db, partnerId, instanceId)
    .where('id', '=', deployId)
    .selectAll()
    .executeTakeFirst()
  if (!row) throw new ServiceError('not_found', 'There is no deploy with this id.')
  return row
}

declare module '../../database/tables.ts' {
  interface Tables {
    deploy: {
      id: string
      partnerId: string
      instanceId: string
      /** 1, 2, 3 … of its instance: the newest has the highest, whatever the clocks say. */
      number: number
      /** `preparing`: nothing runs there yet, all can be done over. `uploaded`: script and secrets are on the server. */
      phase: 'preparing' | 'uploaded' | 'running' | 'succeeded' | 'failed'
      /** What the instance was before; a deploy that never touched the server gives it back. */
      statusBefore: InstanceStatus
      isReinstall: Flag
      kind: DeployKind
      /** JSON of AgentSettings, the instance's once it has got through. */
      settings: string
      /** The rollout that it is part of. */
      rolloutId: string | null
      /** What another instance left there is deleted, rather than set aside. */
      wipesFormer: Flag
      businessName: string
      /** What the agent's configuration names; null until a key is made. */
      model: string | null
      /** How often a key was made for it; each attempt has names of its own. */
      attempt: number
      /** Alias of the last attempt's AI key, recorded before the key is made; the key itself is nowhere here (§4C). */
      keyAlias: string | null
      keyRevokedAt: string | null
      /** JSON array of what whoever deploys may do with the memory: the agent gets as much. */
      memoryScopes: string
      /** The customer token that the agent's MCP server got. */
      tokenId: string | null
      /** JSON of bot token and chat id, sealed for `deploy:{id}`; null once uploaded or given up. */
      sealedTelegram: string | null
      /** JSON array, see schemas/deploy.ts `DeployStep`. */
      steps: string
      log: string
      /** How many bytes of the script's log were read. */
      logOffset: number
      /** Why it failed, or what keeps it waiting, in words; '' when there is nothing to say. */
      message: string
      leaseOwner: string | null
      leaseExpiresAt: string | null
      createdAt: string
      finishedAt: string | null
      supersededAt: string | null
    }
  }
}
