// The partner's brand: what its customers meet in the portal and in mails.
import type { Context } from 'hono'
import type { z } from 'zod'
import { LANGUAGE_CHOICES } from '../../../schemas/language.ts'
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
import { lookOf } from '../addresses.ts'
import type { Look, PageEnv } from '../env.ts'
import { asked, type FormState, type Refusal, refusalOf, typed } from '../form-state.ts'
import { readForm } from '../forms.ts'
import { callOperation, type Page, type PageContext, redirectWith, showPage } from '../page-kit.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Button, ConfirmButton, Form, FormActions, PlainLink, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { pathTo } from './address.ts'
import { BrandPreview } from './brand-preview.tsx'

const BRAND = pathTo('brand')

/** One upload of a partner is read at a time; what waits is unread, so that it takes no memory. */
const uploads = createFairQueue({ waitingPerTenant: MAX_WAITING_IMAGES, refusal: tooManyImages })

/** What multipart adds to the file. */
const FORM_BYTES = 16 * 1024

const FIELDS = ['name', 'accentColor', 'supportEmail', 'supportUrl', 'language'] as const

/** English is what is spoken where nothing is said. */
const SPOKEN = LANGUAGE_CHOICES.map(({ value, label }) => ({ value: value === 'en' ? '' : value, label }))

type SavedBrand = z.output<typeof BrandResult>['data']

export const brandPage: Page = {
  show: (context, state) => showBrand(context, state),
  forms: {
    async update(context, form) {
      if (form.raw('act') === 'preview') return showBrand(context, { values: form.values })
      // An empty field takes the value away.
      const changes = Object.fromEntries(FIELDS.map((name) => [name, form.text(name) ?? null]))
      await callOperation(context, updateBrandOperation, changes)
      return { message: 'The brand was changed.' }
    }
  },
  buttons: { 'logo/remove': (context) => callOperation(context, removeBrandLogo) }
}

/** Answers the form with the logo, which the kit would read too soon. */
export async function uploadLogo(context: PageContext): Promise<Response> {
  const { c } = context
  const upload = async () => callOperation(context, setBrandLogo, { image: await chosenImage(c) })
  try {
    await uploads.run(c.get('consoleVisitor').caller.partnerId, upload, c.req.raw.signal)
    return redirectWith(context, BRAND, 'The logo was changed.')
  } catch (error) {
    const refusal = refusalOf(c, error)
    const told = refusal.code === 'payload_too_large' ? { ...refusal, message: TOO_LARGE } : refusal
    return showBrand(context, undefined, told)
  }
}

const TOO_LARGE = 'The file is larger than 512 kB. Save it smaller and try again.'

async function chosenImage(c: Context<PageEnv>): Promise<string> {
  const form = await readForm(c, MAX_LOGO_BYTES + FORM_BYTES)
  const file = form.file('logo')
  if (!file) throw new ServiceError('invalid_input', 'Choose a file first.', { field: 'image' })
  if (file.size > MAX_LOGO_BYTES) throw new ServiceError('payload_too_large', TOO_LARGE, { field: 'image' })
  return Buffer.from(await file.arrayBuffer()).toString('base64')
}

/** @param state what was filled in and isn't saved */
async function showBrand(context: PageContext, state?: FormState, logoRefusal?: Refusal): Promise<Response> {
  const { data: brand } = await callOperation(context, getBrandOperation)
  const look = previewed(context.c.get('consoleVisitor').caller.partnerId, brand, state)
  const shown = (name: (typeof FIELDS)[number], label: string) => asked(state, name, label, brand[name] ?? '')
  const openPortal = <PlainLink href={`/portal/${brand.slug}/sign-in`}>Open your portal</PlainLink>
  const refused = logoRefusal ? { values: {}, refusal: logoRefusal } : state
  return showPage(
    context,
    { title: 'Brand', current: 'brand', action: openPortal, state: refused },
    <>
      <BrandPreview look={look} />
      <Card title="Name and colour">
        <Form action={pathTo('brand', 'update')}>
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
          <Select
            {...shown('language', 'Language')}
            options={SPOKEN}
            help="Of portal and mails, where neither the customer’s record nor its browser says another."
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
        sendsTo={pathTo('brand', 'logo')}
        description="PNG, JPEG or WebP, at most 512 kB. It is made to fit 240 × 80; one that is wide stands without your name."
      >
        <Form action={pathTo('brand', 'logo')} multipart>
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
          />
        ) : null}
      </Card>
    </>
  )
}

/** The look with what was filled in, as far as it can be used. */
function previewed(partnerId: string, brand: SavedBrand, state: FormState | undefined): Look {
  const texts = FIELDS.map((name) => [
    name,
    Brand.shape[name].safeParse(typed(state, name, brand[name] ?? '').trim() || undefined).data
  ])
  return lookOf(partnerId, { name: brand.partnerName, brand: Object.fromEntries(texts) }, brand.logo)
}
