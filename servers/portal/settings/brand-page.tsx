import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { Brand } from '../../../schemas/partner.ts'
import { brandingOf } from '../../../src/mail/templates/branding.ts'
import type { PageEnv } from '../env.ts'
import type { Refusal } from '../forms.ts'
import { ConsolePage } from '../frames.tsx'
import { logoUrl } from '../logos.ts'
import type { Look } from '../look.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { asked, type Filled, typed } from '../visit.ts'
import { pathTo } from './address.ts'
import type { SavedBrand } from './brand.tsx'
import { BrandPreview } from './brand-preview.tsx'

type BrandText = 'name' | 'accentColor' | 'supportEmail' | 'supportUrl'

interface BrandPageProps {
  c: Context<PageEnv>
  brand: SavedBrand
  /** What was filled in and isn't saved. */
  filled?: Filled
  logoRefusal?: Refusal
}

export const BrandPage: FC<BrandPageProps> = ({ c, brand, filled, logoRefusal }) => {
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
          <FormActions>
            <Button>{brand.logo ? 'Replace logo' : 'Upload logo'}</Button>
          </FormActions>
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
function lookOf(partnerId: string, brand: SavedBrand, filled: Filled | undefined): Look {
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
