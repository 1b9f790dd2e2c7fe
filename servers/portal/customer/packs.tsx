// Packs of AI credits, which the customer buys on account.
import type { z } from 'zod'
import type { Pack } from '../../../schemas/pack.ts'
import { say } from '../../../src/language/say.ts'
import { buyPackOperation, listPacks } from '../../../src/packs/operations.ts'
import { noSuchPage } from '../errors.tsx'
import { baseOf, callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { TableCard } from '../ui/cards.tsx'
import { ConfirmButton } from '../ui/form.tsx'
import { hidden } from '../ui/table.tsx'
import { exactMoney } from '../ui/values.tsx'

export const packsPage: Page = {
  async show(context) {
    const packs = await readPacks(context)
    if (packs.length === 0) throw noSuchPage()
    const action = `${baseOf(context.c)}/packs/buy`
    return showPage(
      context,
      { title: say('Buy credits'), current: '' },
      <TableCard
        title={say('Packs of AI credits')}
        description={say('What is bought is on the next statement.')}
        caption={say('Packs of AI credits')}
        columns={[say('Pack'), say('Price'), hidden(say('Buy'))]}
        rows={packs.map((pack) => {
          const price = priceInWords(pack)
          const fields = { planId: pack.planId, version: String(pack.version) }
          const text = say('{price}, once, on the next statement.', { price })
          const title = say('Buy {name}?', { name: pack.name })
          const button = { label: say('Buy'), kind: 'plain', title, text } as const
          return {
            cells: [
              <bdi>{pack.name}</bdi>,
              price,
              <ConfirmButton {...button} action={action} fields={fields} />
            ]
          }
        })}
      />
    )
  },
  buttons: {
    async buy(context, form) {
      const input = { planId: form.text('planId'), version: Number(form.raw('version')) }
      const { data } = await callOperation(context, buyPackOperation, input, form)
      return {
        message: say(
          '{name} was bought. {count, plural, one {# credit is left now.} other {# credits are left now.}}',
          { name: data.name, count: data.balance }
        )
      }
    }
  }
}

/** “$49.00, 500 credits”. */
function priceInWords({ price: amount, currency, credits }: z.output<typeof Pack>): string {
  const price = exactMoney(amount ?? 0, currency)
  return credits === null
    ? price
    : say('{price}, {count, plural, one {# credit} other {# credits}}', { price, count: credits })
}

export const readPacks = async (context: PageContext) => (await callOperation(context, listPacks)).data
