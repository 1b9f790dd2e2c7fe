// Packs of AI credits: the customer buys them on account, or its partner does for it.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { Pack } from '../../../schemas/pack.ts'
import { buyPackOperation, listPacks } from '../../../src/packs/operations.ts'
import { priceInWords } from '../../../src/plans/words.ts'
import type { Form } from '../forms.ts'
import { baseOf, callOperation, type Outcome, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { ConfirmButton } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { decimal } from '../ui/values.tsx'

export const packsPage: Page = {
  async show(context) {
    const packs = await readPacks(context)
    const action = `${baseOf(context.c)}/packs/buy`
    return showPage(
      context,
      { title: 'Buy credits', current: '' },
      <PacksCard packs={packs} action={action} />
    )
  },
  buttons: { buy }
}

type ShownPack = z.output<typeof Pack>

export const readPacks = async (context: PageContext): Promise<ShownPack[]> =>
  (await callOperation(context, listPacks)).data

export async function buy(context: PageContext, form: Form): Promise<Outcome> {
  const input = { planId: form.text('planId'), version: Number(form.raw('version')) }
  const { message, data } = await callOperation(context, buyPackOperation, input, form)
  return { message: `${message} ${decimal(data.balance)} credits are left now.` }
}

/** @param action where the form of each is sent, which says which pack and at which version it was seen */
export const PacksCard: FC<{ packs: readonly ShownPack[]; action: string }> = ({ packs, action }) => (
  <Card title="Packs of AI credits" description="What is bought is on the next statement.">
    <Table
      caption="Packs of AI credits"
      columns={['Pack', 'Price', { title: 'Buy', hidden: true }]}
      rows={packs.map((pack) => {
        const price = priceInWords(pack)
        const fields = { planId: pack.planId, version: String(pack.version) }
        const text = `${price}, once, on the next statement.`
        const button = { label: 'Buy', kind: 'plain', title: `Buy ${pack.name}?`, text } as const
        return { cells: [pack.name, price, <ConfirmButton {...button} action={action} fields={fields} />] }
      })}
      empty={{ title: 'There is no pack to buy' }}
    />
  </Card>
)
