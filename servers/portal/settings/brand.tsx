// The partner's brand: what its customers meet in the portal and in mails.

import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { Brand, type BrandResult, MAX_LOGO_BYTES } from '../../../schemas/partner.ts'
import { MAX_WAITING_IMAGES, tooManyImages } from '../../../src/brand/logo.ts'
import {
  getBrandOperation,
  removeBrandLogo,
  setBrandLogo,
  updateBrandOperation
} from '../../../src/brand/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { createFairQueue } from '../../../src/fair-queue.ts'
import { brandingOf } from '../../../src/mail/templates/branding.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { asked, type FormState, type Refusal, refusalOf, typed } from '../form-state.ts'
import { readForm, type Form as SentForm } from '../forms.ts'
import { ConsolePage } from '../frames.tsx'
import { logoUrl } from '../logos.ts'
import type { Look } from '../look.ts'
import { acted, callOperation, redirectWith, submitForm } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Button, ConfirmButton, Form, FormActions, FormError, LinkButton, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { pathTo } from './address.ts'
import { BrandPreview } from './brand-preview.tsx'

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

type SavedBrand = z.output<typeof BrandResult>['data']

/** `/brand` and below. */
export function brandPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  const saved = async (c: Context<PageEnv>): Promise<SavedBrand> =>
    (await callOperation({ c, service }, getBrandOperation)).data

  pages.get('/', async (c) => page(c, <BrandPage c={c} brand={await saved(c)} />))

  pages.post('/update', (c) => {
    const context = { c, service }
    return submitForm(context, {
      async act(form) {
        if (form.raw('act') === 'preview') {
          return page(c, <BrandPage c={c} brand={await saved(c)} filled={{ values: form.values }} />)
        }
        await callOperation(context, updateBrandOperation, changesOf(form))
        return redirectWith(context, BRAND, 'The brand was changed.')
      },
      again: async (state) =>
        page(c, <BrandPage c={c} brand={await saved(c)} filled={state} />, state.refusal?.status)
    })
  })

  pages.post('/logo', async (c) => {
    const context = { c, service }
    const { partnerId } = c.get('consoleVisitor').caller
    const upload = async () => callOperation(context, setBrandLogo, { image: await chosenImage(c) })
    try {
      await uploads.run(partnerId, upload, c.req.raw.signal)
      return redirectWith(context, BRAND, 'The logo was changed.')
    } catch (error) {
      const refusal = refusalOf(c, error)
      const about = refusal.code === 'payload_too_large' ? { ...refusal, message: TOO_LARGE } : refusal
      return page(c, <BrandPage c={c} brand={await saved(c)} logoRefusal={about} />, refusal.status)
    }
  })

  pages.post('/logo/remove', (c) =>
    acted({ c, service }, BRAND, () => callOperation({ c, service }, removeBrandLogo))
  )

  return pages
}

const TOO_LARGE = 'The file is larger than 512 kB. Save it smaller and try again.'

/** What the form sets; an empty field takes the value away. */
const changesOf = (form: SentForm): Record<string, string | null> =>
  Object.fromEntries(FIELDS.map((name) => [name, form.text(name) ?? null]))

/** The chosen file in base64. */
async function chosenImage(c: Context<PageEnv>): Promise<string> {
  const form = await readForm(c, { maxBytes: MAX_LOGO_BYTES + FORM_BYTES })
  const file = form.file('logo')
  if (!file) throw new ServiceError('invalid_input', 'Choose a file first.', { field: 'image' })
  if (file.size > MAX_LOGO_BYTES) throw new ServiceError('payload_too_large', TOO_LARGE, { field: 'image' })
  return Buffer.from(await file.arrayBuffer()).toString('base64')
}

type BrandText = 'name' | 'accentColor' | 'supportEmail' | 'supportUrl'

interface BrandPageProps {
  c: Context<PageEnv>
  brand: SavedBrand
  /** What was filled in and isn't saved. */
  filled?: FormState
  logoRefusal?: Refusal
}

const BrandPage: FC<BrandPageProps> = ({ c, brand, filled, logoRefusal }) => {
  const look = lookOf(c.get('consoleVisitor').caller.partnerId, brand, filled)
  const shown = (name: BrandText, label: string) => asked(filled, name, label, brand[name] ?? '')
  return (
    <ConsolePage
      c={c}
      title="Brand"
      current="brand"
      action={
        <LinkButton kind="plain" href={`/portal/${brand.slug}/sign-in`}>
          Open your portal
        </LinkButton>
      }
    >
      <BrandPreview look={look} />
      <Card title="Name and colour">
        <Form action={pathTo('brand', 'update')}>
          <FormError refusal={filled?.refusal} />
          <Field
            {...shown('name', 'Name')}
            help={`What your customers know you by. Without one it is ${brand.partnerName}.`}
            maxlength={100}
          />
          <Field
            {...shown('accentColor', 'Colour')}
            help="Six digits after #, such as #1d4ed8. Text on it is black or white, whichever is easier to read."
            placeholder={look.accentColor}
            maxlength={7}
            mono
          />
          <Field
            {...shown('supportEmail', 'Support e-mail')}
            type="email"
            help="Where customers write to when they need help."
            maxlength={254}
          />
          <Field
            {...shown('supportUrl', 'Support page')}
            type="url"
            help="Its address, with https. It is shown instead of the e-mail."
            maxlength={500}
          />
          <FormActions>
            <Button>Save brand</Button>
            <Button kind="plain" name="act" value="preview">
              Preview
            </Button>
          </FormActions>
        </Form>
      </Card>
      <Card
        title="Logo"
        description="PNG, JPEG or WebP, at most 512 kB. It is made to fit 240 × 80; one that is wide stands without your name."
      >
        <Form action={pathTo('brand', 'logo')} multipart>
          <FormError refusal={logoRefusal} />
          <Field
            label="Image"
            name="logo"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            error={logoRefusal?.field === 'image' ? logoRefusal.message : undefined}
            required
          />
          <Submit>{brand.logo ? 'Replace logo' : 'Upload logo'}</Submit>
        </Form>
        {brand.logo ? (
          <ConfirmButton
            label="Remove logo"
            title="Remove the logo?"
            text="The portal shows your name instead. You can upload a logo again at any time."
            action={pathTo('brand', 'logo', 'remove')}
            confirmLabel="Remove logo"
          />
        ) : null}
      </Card>
    </ConsolePage>
  )
}

/** The look with what was filled in, as far as it can be used. */
function lookOf(partnerId: string, brand: SavedBrand, filled: FormState | undefined): Look {
  const text = (name: BrandText) =>
    Brand.shape[name].safeParse(typed(filled, name, brand[name] ?? '').trim() || undefined).data
  const { name, accentColor, supportEmail, supportUrl } = brandingOf({
    name: brand.partnerName,
    brand: {
      name: text('name'),
      accentColor: text('accentColor'),
      supportEmail: text('supportEmail'),
      supportUrl: text('supportUrl')
    }
  })
  const { logo } = brand
  return {
    name,
    accentColor,
    supportEmail,
    supportUrl,
    logo: logo ? { url: logoUrl(partnerId, logo.hash), width: logo.width, height: logo.height } : undefined
  }
}
