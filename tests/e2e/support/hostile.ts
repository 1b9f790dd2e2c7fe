// What people could have typed at its worst: fills what is shown of theirs, wherever the seed has put something kind.
import type { WriteHandle } from '../../../src/database/database.ts'
import type { Fixture } from './fixture.ts'

/** A word without a place to break, then what turns the direction around, then pictures made of several. */
export const HOSTILE = `${'W'.repeat(200)}\u202e\u2067مرحبا\u2069👩‍👩‍👧‍👦🏳️‍🌈`

const LABEL = 'w'.repeat(63)
/** The longest that there is. */
const EMAIL = `${'m'.repeat(64)}@${LABEL}.${LABEL}.${'w'.repeat(53)}.example`

/** By table the columns that people fill, at the length that each takes. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  apiKey: ['name'],
  billingEntry: ['description'],
  connectedApp: ['clientName'],
  creditEntry: ['note'],
  customer: [
    ...['companyName', 'firstName', 'lastName', 'businessPhone', 'monthlyCallVolume', 'peakHours'],
    ...['primaryUseCase', 'crmSystem', 'phoneSystem', 'deploymentTimeline', 'deploymentNotes']
  ],
  customerToken: ['name'],
  deploy: ['businessName', 'message', 'log'],
  fact: ['subject', 'value'],
  instance: ['name', 'agentName', 'model', 'checkTrouble'],
  memory: ['author'],
  mind: ['name', 'description'],
  mindJob: ['lastError'],
  plan: ['name'],
  subscription: ['planName'],
  teamMember: ['name', 'role'],
  voiceAgent: ['name']
}

export async function makeHostile({ service, partner, customer }: Fixture): Promise<void> {
  await service.database.transaction(async (tx) => {
    for (const [table, columns] of Object.entries(TEXTS))
      for (const column of columns) await fill(tx, table, column)
    await tx
      .updateTable('memory')
      .set({ content: `${HOSTILE}: ${HOSTILE}`, opening: HOSTILE })
      .execute()
    const { brand } = await tx
      .selectFrom('partner')
      .where('id', '=', partner.partnerId)
      .select('brand')
      .executeTakeFirstOrThrow()
    const named = { ...JSON.parse(brand), name: HOSTILE, supportEmail: EMAIL }
    await tx
      .updateTable('partner')
      .set({ name: HOSTILE, brand: JSON.stringify(named) })
      .execute()
    await tx.updateTable('customer').set({ email: EMAIL }).where('id', '=', customer.customerId).execute()
    await tx.updateTable('identity').set({ email: EMAIL }).execute()
    await tx.updateTable('partnerUser').set({ email: EMAIL }).execute()
    await tx.updateTable('teamMember').set({ email: EMAIL }).execute()
    await tx.updateTable('mail').set({ recipient: EMAIL }).execute()
  })
}

const fill = (tx: WriteHandle, table: string, column: string) =>
  // Their types don't matter here, and each is a text.
  tx
    .updateTable(table as 'apiKey')
    .set({ [column as 'name']: HOSTILE })
    .execute()
