// What deploys need beside a server: models that the partner may use, and the wait for their end.
import { vi } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import type { Service } from '../../src/service.ts'

/** Gives the partner the models that an agent's key is made for. */
export const entitle = (service: Service, partnerId: string, models = ['model-a', 'model-b']) =>
  service.database.transaction((tx) => updatePartner(tx, partnerId, { models }))

/** Resolves when no deploy changes anything any more. */
export const noDeployUnderWay = ({ database }: Service): Promise<void> =>
  vi.waitFor(
    async () => {
      const rows = await database.read
        .selectFrom('deploy')
        .where('finishedAt', 'is', null)
        .select(['id', 'message'])
        .execute()
      if (rows.length > 0) throw new Error(`Under way: ${JSON.stringify(rows)}`)
    },
    { timeout: 50_000, interval: 50 }
  )
