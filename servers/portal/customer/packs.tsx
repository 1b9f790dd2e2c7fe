// Packs of AI credits, which the customer buys on account.
import { buyPackOperation, listPacks } from '../../../src/packs/operations.ts'
import { priceInWords } from '../../../src/plans/words.ts'
import { baseOf, callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { ConfirmButton } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { hidden, Table } from '../ui/table.tsx'
import { decimal } from '../ui/values.tsx'

export const packsPage: Page = {
  async show(context) {
    const packs = await readPacks(context)
    const action = `${baseOf(context.c)}/packs/buy`
    return showPage(
      context,
      { title: 'Buy credits', current: '' },
      <Card title="Packs of AI credits" description="What is bought is on the next statement.">
        <Table
          caption="Packs of AI credits"
          columns={['Pack', 'Price', hidden('Buy')]}
          rows={packs.map((pack) => {
            const price = priceInWords(pack)
            const fields = { planId: pack.planId, version: String(pack.version) }
            const text = `${price}, once, on the next statement.`
            const button = { label: 'Buy', kind: 'plain', title: `Buy ${pack.name}?`, text } as const
            return {
              cells: [pack.name, price, <ConfirmButton {...button} action={action} fields={fields} />]
            }
          })}
          empty={{ title: 'There is no pack to buy' }}
        />
      </Card>
    )
  },
  buttons: {
    async buy(context, form) {
      const input = { planId: form.text('planId'), version: Number(form.raw('version')) }
      const { message, data } = await callOperation(context, buyPackOperation, input, form)
      return { message: `${message} ${decimal(data.balance)} credits are left now.` }
    }
  }
}

export const readPacks = async (context: PageContext) => (await callOperation(context, listPacks)).data
