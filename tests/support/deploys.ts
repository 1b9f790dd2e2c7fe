// What deploys need beside a server: models that the partner may use, and the wait for their end.
import { vi } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import type { Service } from '../../src/service.ts'

/** Ends a hang, a little before the test’s own limit does, so that what it stood at is told. */
export const DEPLOY_WAIT = { timeout: 100_000, interval: 50 }

/** Gives the partner the models that an agent's key is made for. */
export const entitle = (service: Service, partnerId: string, models = ['model-a', 'model-b']) =>
  service.database.transaction((tx) => updatePartner(tx, partnerId, { models }))

/** Resolves when no deploy changes anything any more, and none is still to come of a change of all agents. */
export const noDeployUnderWay = ({ database }: Service): Promise<void> =>
  vi.waitFor(async () => {
    for (const table of ['rollout', 'deploy'] as const) {
      const rows = await database.read.selectFrom(table).where('finishedAt', 'is', null).selectAll().execute()
      if (rows.length > 0) throw new Error(`Under way: ${JSON.stringify(rows)}`)
    }
  }, DEPLOY_WAIT)
