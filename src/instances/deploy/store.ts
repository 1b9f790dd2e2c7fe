// The SQL of deploys as doors and pages see them. What the follower writes, it writes by its lease.
import type { Scope } from '../../../schemas/api-key.ts'
import { now } from '../../clock.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import type { DeployTable } from '../../database/deploy-tables.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import type { InstanceRow } from '../store.ts'
import { stepsBefore } from './progress.ts'

export type DeployRow = DeployTable

export interface Telegram {
  botToken: string
  chatId: string
}

export interface NewDeploy {
  /** As it was before the deploy. */
  instance: InstanceRow
  businessName: string
  telegram: Telegram | undefined
  /** Of whoever deploys; the agent's token gets them. */
  memoryScopes: readonly Scope[]
}

/**
 * The row of a new deploy, and the newest one's mark that it is no longer that. The caller has moved the instance's status
 * in the same transaction, so there is no other under way.
 */
export async function newDeployRow(
  tx: WriteHandle,
  secrets: Secrets,
  { instance, businessName, telegram, memoryScopes }: NewDeploy
): Promise<Omit<DeployRow, 'leaseOwner' | 'leaseExpiresAt'>> {
  const id = newId('dep')
  const createdAt = now()
  const former = await newestDeploy(tx, instance.partnerId, instance.id)
  if (former) {
    await tx.updateTable('deploy').set({ supersededAt: createdAt }).where('id', '=', former.id).execute()
  }
  return {
    id,
    partnerId: instance.partnerId,
    instanceId: instance.id,
    number: (former?.number ?? 0) + 1,
    phase: 'preparing',
    statusBefore: instance.status,
    isReinstall: former ? 1 : 0,
    businessName,
    model: null,
    attempt: 0,
    keyAlias: null,
    keyRevokedAt: null,
    memoryScopes: JSON.stringify(memoryScopes),
    tokenId: null,
    sealedTelegram: telegram ? secrets.seal(JSON.stringify(telegram), sealContext(id)) : null,
    steps: JSON.stringify(stepsBefore()),
    log: '',
    logOffset: 0,
    message: '',
    createdAt,
    updatedAt: createdAt,
    finishedAt: null,
    supersededAt: null
  }
}

/** The row that the form's secrets are sealed for. */
export const sealContext = (deployId: string): string => `deploy:${deployId}`

/** The instance's deploy that began last. */
export async function newestDeploy(
  db: ReadHandle | WriteHandle,
  partnerId: string,
  instanceId: string
): Promise<DeployRow | undefined> {
  return db
    .selectFrom('deploy')
    .where('partnerId', '=', partnerId)
    .where('instanceId', '=', instanceId)
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** @throws ServiceError `not_found`, for a deploy of another partner or instance as for none */
export async function getDeploy(
  db: ReadHandle,
  partnerId: string,
  instanceId: string,
  deployId: string
): Promise<DeployRow> {
  const row = await db
    .selectFrom('deploy')
    .where('partnerId', '=', partnerId)
    .where('instanceId', '=', instanceId)
    .where('id', '=', deployId)
    .selectAll()
    .executeTakeFirst()
  if (!row) throw new ServiceError('not_found', 'There is no deploy with this id.')
  return row
}
