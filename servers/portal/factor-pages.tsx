// The second step of signing in, the same on both sites: giving a factor, setting one up where it is demanded, and one's own.
import type { Child, FC } from 'hono/jsx'
import { renderSVG } from 'uqr'
import { say } from '../../src/language/say.ts'
import {
  addFactor,
  appToAdd,
  type FactorRow,
  giveFactor,
  listFactors,
  removeFactor,
  renewCodes
} from '../../src/portal-access/factors.ts'
import { passkeyOptions } from '../../src/portal-access/passkeys.ts'
import { browserName } from './account-pages.tsx'
import { nextPage } from './addresses.ts'
import { PASSKEY_PATH } from './assets/packed.ts'
import { languageOf } from './enter-pages.tsx'
import { asked, type FormState, typed } from './form-state.ts'
import { type Form as Filled, isJson } from './forms.ts'
import { entryOf } from './frames.tsx'
import { baseOf, type Page, type PageContext, showPage } from './page-kit.tsx'
import { PasswordField, showOutside } from './password-forms.tsx'
import { Snippet } from './ui/copy.tsx'
import { Field } from './ui/field.tsx'
import { ActButton, Button, ConfirmButton, Form, FormError, LinkButton, Notice, Submit } from './ui/form.tsx'
import { Card, Row } from './ui/layout.tsx'
import { hidden, Table } from './ui/table.tsx'
import { Time } from './ui/values.tsx'
import { keepSession, visitOf } from './visitors.ts'

export const factorPage: Page = {
  languageOf: async ({ c, service }) => c.get('pending') && languageOf(service, c.get('pending')),
  show: (context, state) =>
    viewerOf(context).session.pending === 'factor' ? showGiving(context, state) : showOwn(context, state),
  forms: {
    async ''(context, form) {
      const { c, service } = context
      await keepSession(service, c, await giveFactor(service, viewerOf(context), sentIn(context, form)))
      return isJson(c) ? c.json({ success: true }) : c.redirect(nextPage(baseOf(c), form.text('next')), 303)
    },
    async add(context, form) {
      const { c, service } = context
      const { codes, token } = await addFactor(service, viewerOf(context), sentIn(context, form))
      if (token) await keepSession(service, c, token)
      return codes.length > 0 ? showCodes(context, codes, form) : { message: done() }
    }
  },
  buttons: {
    async ':factorId/remove'(context, form) {
      const id = context.c.req.param('factorId') ?? ''
      await removeFactor(context.service, viewerOf(context), id, sentIn(context, form))
      return { message: done() }
    },
    codes: async (context, form) =>
      showCodes(context, await renewCodes(context.service, viewerOf(context), sentIn(context, form)), form)
  }
}

export const factorPages = { '/account/factor': factorPage }

const viewerOf = ({ c }: PageContext) => c.get('pending') ?? c.get('visitor') ?? c.get('consoleVisitor')

const addressIn = ({ c }: PageContext, ...below: string[]): string =>
  [baseOf(c), ...(c.get('pending') ? [] : ['account']), 'factor', ...below].join('/')

const sentIn = ({ c, service }: PageContext, form: Filled) => ({
  ...visitOf(c, service),
  ...{ code: form.raw('code'), passkey: form.raw('passkey'), sealed: form.raw('sealed') },
  ...{ current: form.raw('current'), origin: c.get('origin') }
})

const done = () => say('It is done. You are signed out everywhere else.')

/** As a page of the site, or before it while something is pending. */
function framed(context: PageContext, title: string, children: Child, state?: FormState, intro?: string) {
  const { c } = context
  if (!c.get('pending')) return showPage(context, { title, current: 'account', state }, children)
  const footer = <ActButton action={`${baseOf(c)}/sign-out`}>{say('Sign out')}</ActButton>
  return showOutside(c, { title, intro, footer }, [<FormError refusal={state?.refusal} />, children], state)
}

async function showGiving(context: PageContext, state?: FormState): Promise<Response> {
  const factors = await listFactors(context.service.database.read, viewerOf(context))
  const intro = say('Enter the code of your authenticator app, or one of your recovery codes.')
  return framed(context, say('Second step'), <Step {...{ context, factors, state }} />, state, intro)
}

interface StepProps {
  context: PageContext
  factors: readonly FactorRow[]
  state: FormState | undefined
  /** What a new passkey is called after, where one is to be added. */
  rpName?: string
  children?: Child
}

/** A code, or in its place what the browser says of a passkey: that button shows itself where there are such. */
const Step = async ({ context, factors, state, rpName, children }: StepProps) => {
  const { c, service } = context
  const asking = { origin: c.get('origin'), factors, ...(rpName && { rpName }) }
  const hasPasskey = rpName !== undefined || factors.some(({ kind }) => kind === 'passkey')
  const options = hasPasskey && (await passkeyOptions(service.database, viewerOf(context), asking))
  return (
    <div data-passkey={options ? JSON.stringify(options) : undefined}>
      <Form action={addressIn(context, ...(rpName ? ['add'] : []))}>
        {/* The page that was asked for, until nothing stands before it any more. */}
        <input type="hidden" name="next" value={state ? typed(state, 'next') : (c.req.query('next') ?? '')} />
        <input type="hidden" name="passkey" autocomplete="off" />
        {children}
        <Field
          {...asked(state, 'code', say('Code'))}
          {...{ value: '', required: true, autocomplete: 'one-time-code', maxlength: 40 }}
        />
        <Submit>{rpName ? say('Use this app') : say('Go on')}</Submit>
        <div data-ask hidden>
          <div role="alert" hidden>
            <p class="error">{say('The passkey wasn’t given. Try again.')}</p>
          </div>
          <Button kind="plain" type="button">
            {rpName ? say('Add a passkey') : say('Use a passkey')}
          </Button>
        </div>
      </Form>
      <script type="module" src={PASSKEY_PATH} />
    </div>
  )
}

const Present: FC<{ context: PageContext; state?: FormState | undefined }> = ({ context, state }) =>
  context.c.get('pending') ? null : (
    <PasswordField name="current" label={say('Present password')} state={state} />
  )

async function showOwn(context: PageContext, state?: FormState): Promise<Response> {
  const { c, service } = context
  const guest = viewerOf(context)
  const factors = await listFactors(service.database.read, guest)
  const rpName = entryOf(c).look.name
  const app = await appToAdd(service, guest, rpName, typed(state, 'sealed'))
  const qr = `data:image/svg+xml,${encodeURIComponent(renderSVG(app.uri))}`
  const content = (
    <>
      {factors.length > 0 && <Own {...{ context, factors }} />}
      <Card
        title={say('Add an app or a passkey')}
        description={say(
          'Scan this with an authenticator app, or type the key into it, and enter the code that it shows. Or add a passkey: this device or a security key keeps it, for this address alone.'
        )}
      >
        <Step {...{ context, factors, state, rpName }}>
          <input type="hidden" name="sealed" value={app.sealed} />
          <img src={qr} alt={say('QR code of the key')} width={180} height={180} />
          <Snippet label={say('Key')} code={app.secret} />
          <Present {...{ context, state }} />
        </Step>
      </Card>
    </>
  )
  const intro = say('A second step is asked of everybody here. Set one up to go on.')
  return framed(context, say('Two-step sign-in'), content, state, intro)
}

const Own: FC<{ context: PageContext; factors: readonly FactorRow[] }> = ({ context, factors }) => {
  const count = factors.filter(({ kind, counter }) => kind === 'recovery' && counter === 0).length
  const named = factors.flatMap((factor) => {
    const browser = browserName(factor.userAgent)
    if (factor.kind === 'recovery') return []
    return {
      ...factor,
      name: factor.kind === 'app' ? say('Authenticator app') : say('Passkey: {browser}', { browser })
    }
  })
  return (
    <Card
      title={say('What you have')}
      description={say('{count, plural, one {# recovery code is} other {# recovery codes are}} left.', {
        count
      })}
    >
      <Table
        caption={say('What you have')}
        columns={[say('Kind'), say('Since'), say('Last used'), hidden(say('Actions'))]}
        rows={named.map(({ id, name, createdAt, lastUsedAt }) => ({
          cells: [
            name,
            <Time iso={createdAt} />,
            lastUsedAt === null ? say('Never') : <Time iso={lastUsedAt} />,
            <ConfirmButton
              label={say('Remove')}
              title={say('Remove {name}?', { name })}
              text={<Present {...{ context }} />}
              action={addressIn(context, id, 'remove')}
            />
          ]
        }))}
      />
      <Row>
        <ConfirmButton
          kind="plain"
          label={say('Make new recovery codes')}
          title={say('Make new recovery codes')}
          text={[<p>{say('Those that you have end.')}</p>, <Present {...{ context }} />]}
          action={addressIn(context, 'codes')}
        />
      </Row>
    </Card>
  )
}

/** They are shown this once. */
function showCodes(context: PageContext, codes: string[], form: Filled): Promise<Response> {
  const { c } = context
  const next = c.get('pending') ? nextPage(baseOf(c), form.text('next')) : addressIn(context)
  const content = (
    <>
      <Notice tone="good">
        {say(
          'Each of them works once in place of the app or the passkey. They aren’t shown again: keep them safe.'
        )}
      </Notice>
      <Snippet label={say('Recovery codes')} code={codes.join('\n')} />
      <LinkButton href={next}>{say('Go on')}</LinkButton>
    </>
  )
  return framed(context, say('Recovery codes'), content)
}
