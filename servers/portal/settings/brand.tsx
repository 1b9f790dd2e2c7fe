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
import { acted, done, refusalFor, run, submitted } from '../visit.ts'
import { pathTo } from './address.ts'
import { BrandPage } from './brand-page.tsx'

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

const FIELDS = ['name', 'accentColor', 'supportEmail', 'supportUrl']

export type SavedBrand = z.output<typeof BrandResult>['data']

/** `/brand` and below. */
export function brandPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  const saved = async (c: Context<PageEnv>): Promise<SavedBrand> =>
    (await run({ c, service }, getBrandOperation, BrandResult)).data

  pages.get('/', async (c) => page(c, <BrandPage c={c} brand={await saved(c)} />))

  pages.post('/update', (c) => {
    const visit = { c, service }
    return submitted(visit, {
      async act(form) {
        if (form.raw('act') === 'preview') {
          return page(c, <BrandPage c={c} brand={await saved(c)} filled={{ values: form.values }} />)
        }
        await run(visit, updateBrandOperation, BrandChangeResult, changesOf(form))
        return done(visit, BRAND, 'The brand was changed.')
      },
      again: async (tried) =>
        page(c, <BrandPage c={c} brand={await saved(c)} filled={tried} />, tried.refusal.status)
    })
  })

  pages.post('/logo', async (c) => {
    const visit = { c, service }
    const { partnerId } = c.get('consoleVisitor').caller
    const upload = async () => run(visit, setBrandLogo, BrandChangeResult, { image: await chosenImage(c) })
    try {
      await uploads.run(partnerId, upload, c.req.raw.signal)
      return done(visit, BRAND, 'The logo was changed.')
    } catch (error) {
      const refusal = refusalFor(visit, error)
      const about = refusal.code === 'payload_too_large' ? { ...refusal, message: TOO_LARGE } : refusal
      return page(c, <BrandPage c={c} brand={await saved(c)} logoRefusal={about} />, refusal.status)
    }
  })

  pages.post('/logo/remove', (c) =>
    acted({ c, service }, BRAND, () => run({ c, service }, removeBrandLogo, BrandChangeResult))
  )

  return pages
}

const TOO_LARGE = 'The file is larger than 512 kB. Save it smaller and try again.'

/** What the form sets; an empty field takes the value away. */
const changesOf = (form: Form): Record<string, string | null> =>
  Object.fromEntries(FIELDS.map((name) => [name, form.text(name) ?? null]))

/** The chosen file in base64. */
async function chosenImage(c: Context<PageEnv>): Promise<string> {
  const form = await readForm(c, { maxBytes: MAX_LOGO_BYTES + FORM_BYTES })
  const file = form.file('logo')
  if (!file) throw new ServiceError('invalid_input', 'Choose a file first.', { field: 'image' })
  if (file.size > MAX_LOGO_BYTES) throw new ServiceError('payload_too_large', TOO_LARGE, { field: 'image' })
  return Buffer.from(await file.arrayBuffer()).toString('base64')
}
