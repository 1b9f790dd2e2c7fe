// The partner's brand: what its customers meet in the portal and in mails.
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { BrandChangeResult, BrandResult, MAX_LOGO_BYTES } from '../../../schemas/partner.ts'
import { MAX_WAITING_IMAGES, tooManyImages } from '../../../src/brand/logo.ts'
import {
  getBrandOperation,
  removeBrandLogo,
  setBrandLogo,
  updateBrandOperation
} from '../../../src/brand/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { createFairQueue } from '../../../src/fair-queue.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { type Form, readForm } from '../forms.ts'
import { perform } from '../perform.ts'
import { pathTo } from './address.ts'
import { BrandPage } from './brand-page.tsx'
import { acted, tried } from './outcome.ts'

const BRAND = pathTo('brand')

/** One upload of a partner is read at a time; what waits is unread, so that it takes no memory. */
const uploads = createFairQueue({
  atOnce: Number.POSITIVE_INFINITY,
  atOncePerTenant: 1,
  waitingPerTenant: MAX_WAITING_IMAGES,
  refusal: tooManyImages
})

/** What multipart adds to the file. */
const FORM_BYTES = 16 * 1024

const LABELS = {
  name: 'Name',
  accentColor: 'Colour',
  supportEmail: 'Support e-mail',
  supportUrl: 'Support page'
}

export type SavedBrand = z.output<typeof BrandResult>['data']

/** `/brand` and below. */
export function brandPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  const saved = async (c: Context<PageEnv>): Promise<SavedBrand> => {
    const { caller } = c.get('consoleVisitor')
    return (await perform(service, c, getBrandOperation, { caller, input: {}, output: BrandResult })).data
  }

  pages.get('/', async (c) => page(c, <BrandPage c={c} brand={await saved(c)} />))

  pages.post('/update', async (c) => {
    const form = await readForm(c)
    if (form.raw('act') === 'preview') return page(c, <BrandPage c={c} brand={await saved(c)} form={form} />)
    const { caller } = c.get('consoleVisitor')
    const { refusal } = await tried(LABELS, () =>
      perform(service, c, updateBrandOperation, { caller, input: changesOf(form), output: BrandChangeResult })
    )
    if (refusal) {
      return page(c, <BrandPage c={c} brand={await saved(c)} form={form} refusal={refusal} />, refusal.status)
    }
    return acted(c, service, BRAND, async () => ({ message: 'The brand was changed.' }))
  })

  pages.post('/logo', async (c) => {
    const { caller } = c.get('consoleVisitor')
    const upload = async () => {
      const input = { image: await chosenImage(c) }
      return perform(service, c, setBrandLogo, { caller, input, output: BrandChangeResult })
    }
    const turn = () => tried({}, upload)
    const { refusal } = await uploads.run(caller.partnerId, turn, c.req.raw.signal)
    if (refusal) {
      const about = refusal.code === 'payload_too_large' ? { ...refusal, message: TOO_LARGE } : refusal
      const again = <BrandPage c={c} brand={await saved(c)} logoRefusal={about} />
      return page(c, again, refusal.status)
    }
    return acted(c, service, BRAND, async () => ({ message: 'The logo was changed.' }))
  })

  pages.post('/logo/remove', (c) => {
    const { caller } = c.get('consoleVisitor')
    return acted(c, service, BRAND, () =>
      perform(service, c, removeBrandLogo, { caller, input: {}, output: BrandChangeResult })
    )
  })

  return pages
}

const TOO_LARGE = 'The file is larger than 512 kB. Save it smaller and try again.'

/** What the form sets; an empty field takes the value away. */
const changesOf = (form: Form): Record<string, string | null> =>
  Object.fromEntries(Object.keys(LABELS).map((name) => [name, form.text(name) ?? null]))

/** The chosen file in base64. */
async function chosenImage(c: Context<PageEnv>): Promise<string> {
  const form = await readForm(c, { maxBytes: MAX_LOGO_BYTES + FORM_BYTES })
  const file = form.file('logo')
  if (!file) throw new ServiceError('invalid_input', 'Choose a file first.', { field: 'image' })
  if (file.size > MAX_LOGO_BYTES) throw new ServiceError('payload_too_large', TOO_LARGE, { field: 'image' })
  return Buffer.from(await file.arrayBuffer()).toString('base64')
}
