// Every component in each of its states, served as the product serves its pages. Only tests and their author see it.
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { Child, FC } from 'hono/jsx'
import { page } from '../../../servers/portal/answer.tsx'
import { portalAssets } from '../../../servers/portal/assets-routes.ts'
import type { PageEnv } from '../../../servers/portal/env.ts'
import { Field } from '../../../servers/portal/ui/field.tsx'
import { Button, Form, FormActions, FormError, LinkButton } from '../../../servers/portal/ui/form.tsx'
import { EntryFrame, Frame } from '../../../servers/portal/ui/frame.tsx'
import { Content } from './gallery-content.tsx'
import { Forms } from './gallery-forms.tsx'

const lookOf = (accentColor: string) => ({
  name: 'Northwind Voice',
  accentColor,
  logo: undefined,
  supportEmail: 'help@northwind.example',
  supportUrl: undefined
})

const MENU = [
  { segment: '', label: 'Dashboard', icon: 'home' as const },
  { segment: 'customers', label: 'Customers', icon: 'people' as const },
  { segment: 'voice-agents', label: 'Voice agents', icon: 'wave' as const },
  { segment: 'keys', label: 'API keys', icon: 'key' as const, group: 'Access' },
  { segment: 'tokens', label: 'MCP tokens', icon: 'ticket' as const, group: 'Access' },
  { segment: 'account', label: 'Account', icon: 'person' as const, group: 'Your side' }
]

const frame = (accentColor: string) => ({
  look: lookOf(accentColor),
  base: '/gallery',
  menu: MENU,
  who: { name: 'Northwind Voice', detail: 'a.very.long.address.of.somebody@northwind.example' }
})

const SignIn: FC<{ isRefused: boolean }> = ({ isRefused }) => (
  <Form action="/gallery/sign-in">
    <FormError refusal={isRefused ? { message: 'E-mail and password don’t match. Try again.' } : undefined} />
    <Field label="E-mail" name="email" type="email" required autocomplete="username" />
    <Field label="Password" name="password" type="password" required autocomplete="current-password" />
    <FormActions>
      <Button>Sign in</Button>
    </FormActions>
  </Form>
)

export interface Gallery {
  url: string
  /** Lets what was sent to `/gallery/slow` be answered. */
  release(): void
  /** Something was sent there. */
  slowPost: Promise<void>
  /** How often something was sent there. */
  slowPosts(): number
  close(): Promise<void>
}

/** Opens the gallery: `/content`, `/forms`, `/site`, `/toast/good` and so on, each with `?accent=rrggbb`. */
export async function openGallery(): Promise<Gallery> {
  let slowPosts = 0
  let release: () => void = () => undefined
  let arrive: () => void = () => undefined
  const slowPost = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const app = new Hono<PageEnv>()
  app.use(async (c, next) => {
    c.set('origin', 'http://localhost')
    await next()
  })
  app.route('/assets', portalAssets())
  const show = (path: string, content: (accent: string) => Child) =>
    app.get(path, (c) => page(c, content(`#${c.req.query('accent') ?? '0f766e'}`)))
  show('/content', (accent) => (
    <Frame
      site="portal"
      {...frame(accent)}
      title="Content"
      current="customers"
      action={<Button>Onboard a customer</Button>}
    >
      <Content />
    </Frame>
  ))
  show('/forms', (accent) => (
    <Frame
      site="console"
      {...frame(accent)}
      title="A title that is much longer than any title of ours should ever become, to see it wrap"
      current="keys"
      breadcrumbs={[
        { href: '/a', label: 'Customers' },
        { href: '/b', label: 'Clínica Sol' }
      ]}
      action={
        <>
          <LinkButton href="/x" kind="plain">
            Export
          </LinkButton>
          <LinkButton href="/x">Mint a key</LinkButton>
        </>
      }
    >
      <Forms />
    </Frame>
  ))
  for (const kind of ['good', 'warn', 'bad'] as const) {
    show(`/toast/${kind}`, (accent) => (
      <Frame
        site="portal"
        {...frame(accent)}
        title="A message"
        current=""
        flash={{ kind, text: 'The invite is on its way to marta.ruiz@clinicasol.example.' }}
      >
        <p>Content below the message.</p>
      </Frame>
    ))
  }
  show('/site', (accent) => (
    <EntryFrame
      look={lookOf(accent)}
      title="Sign in"
      intro="to see what your agents remember."
      footer={<a href="/x">Forgot your password?</a>}
    >
      <SignIn isRefused={false} />
    </EntryFrame>
  ))
  show('/entry-refused', (accent) => (
    <EntryFrame
      look={lookOf(accent)}
      title="Sign in"
      flash={{ kind: 'warn', text: 'You are signed out. Sign in to go on.' }}
    >
      <SignIn isRefused={true} />
    </EntryFrame>
  ))
  show('/slow', (accent) => (
    <Frame site="console" {...frame(accent)} title="Slow" current="">
      <Form action="/gallery/slow">
        <FormActions>
          <Button>Save changes</Button>
        </FormActions>
      </Form>
    </Frame>
  ))
  app.post('/gallery/slow', async (c) => {
    slowPosts += 1
    arrive()
    await released
    return c.text('POST /gallery/slow')
  })
  app.all('/gallery/*', (c) => c.text(`${c.req.method} ${c.req.path}`))
  let url = ''
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
    url = `http://127.0.0.1:${port}`
  })
  await once(server, 'listening')
  return {
    url,
    release,
    slowPost,
    slowPosts: () => slowPosts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      })
  }
}
