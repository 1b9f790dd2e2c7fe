// What every page of both sites is made with. A page is a value, and a table says at which path it stands.
import type { Context, Hono } from 'hono'
import { type Child, Fragment } from 'hono/jsx'
import type { z } from 'zod'
import type { Customer } from '../../schemas/customer.ts'
import type { Language } from '../../schemas/language.ts'
import type { Caller } from '../../src/caller.ts'
import type { ErrorCode } from '../../src/errors.ts'
import { execute } from '../../src/execute.ts'
import { inLanguage, language } from '../../src/language/say.ts'
import type { Answering } from '../../src/operation.ts'
import type { Service } from '../../src/service.ts'
import { page } from './answer.tsx'
import type { FlashMessage, PageEnv } from './env.ts'
import { flash } from './flash.ts'
import { type FormState, type Refusal, refusalOf } from './form-state.ts'
import { type Form, readForm } from './forms.ts'
import { ConsolePage, PortalPage } from './frames.tsx'
import { CONSOLE_BASE } from './rights.ts'
import { FormError } from './ui/form.tsx'
import type { FrameProps } from './ui/frame.tsx'
import { Stack } from './ui/layout.tsx'

export interface PageContext {
  c: Context<PageEnv>
  service: Service
  /** Whose page it is, in the console. */
  customer?: z.output<typeof Customer>
}

/**
 * Calls an operation as who is signed in and answers its output. Where it asks for a customer, that is the page's own.
 *
 * @param form the one that asked for it, or what has its key: sent twice, it acts once
 * @throws ServiceError what the operation refuses with
 * @throws Error when the operation isn't offered on this site: a mistake of the page, not of who is signed in
 */
export async function callOperation<Output extends z.ZodObject>(
  { c, service, customer }: PageContext,
  operation: Answering<Output>,
  given: Record<string, unknown> = {},
  form?: Pick<Form, 'raw'>
): Promise<z.output<Output>> {
  const { caller } = c.get('visitor') ?? c.get('consoleVisitor')
  const own = caller.customerId
  const site = own === undefined ? 'console' : 'portal'
  if (!operation.channels.includes(site)) throw new Error(`${operation.name} is not offered at the ${site}`)
  c.set('operation', operation)
  const ofCustomer = 'customerId' in operation.input.shape ? { customerId: customer?.id, ...given } : given
  const input = own === undefined ? ofCustomer : { ...given, customerId: own }
  const idempotencyKey = form?.raw('idempotencyKey') || undefined
  const call = { caller, requestId: c.get('requestId'), idempotencyKey }
  return operation.output.parse((await execute(operation, service, call, input)).output)
}

/** What an operation answers, or nothing where who is signed in lacks its scope: then the page does without. */
export async function callIfMay<Output extends z.ZodObject>(
  context: PageContext,
  operation: Answering<Output>,
  given?: Record<string, unknown>
): Promise<z.output<Output> | undefined> {
  const { caller }: { caller: Caller } = context.c.get('visitor') ?? context.c.get('consoleVisitor')
  return caller.scopes.has(operation.scope) ? callOperation(context, operation, given) : undefined
}

interface ShownPage extends Pick<FrameProps, 'title' | 'current' | 'action' | 'breadcrumbs'> {
  tabs?: Child
  /** The form that was refused, if that is why the page is shown: the page begins with what isn't about a field. */
  state?: FormState | undefined
}

export function showPage({ c }: PageContext, { tabs, state, ...shown }: ShownPage, children: Child) {
  const [Site, Body] = c.get('visitor') ? [PortalPage, Stack] : [ConsolePage, Fragment]
  const content = (
    <Site c={c} {...shown}>
      {tabs}
      <Body>
        <FormError refusal={state?.refusal} />
        {children}
      </Body>
    </Site>
  )
  return page(c, content, state?.refusal?.status ?? 200)
}

/** The page at that path says once what was done. */
export function redirectWith(
  { c, service }: PageContext,
  path: string,
  text: string,
  kind: FlashMessage['kind'] = 'good'
): Response {
  flash(c, service, { kind, text })
  return c.redirect(path, 303)
}

/** What came of a form. */
export interface Outcome {
  message: string
  /** Where that is to be seen; the form's own page unless told otherwise. */
  next?: string
  kind?: FlashMessage['kind']
}

export type Acts<Of extends PageContext = PageContext> = Readonly<
  Record<string, (context: Of, form: Form) => Promise<Outcome | Response>>
>

/** A page with the forms on it. Each posts to its name below the page's address; without a name, to that itself. */
export interface Page<Of extends PageContext = PageContext> {
  /** `state` is of the form that was refused, if that is why it is shown. */
  show(context: Of, state?: FormState): Promise<Response>
  forms?: Acts<Of>
  /** Forms that ask for nothing: a refusal is said on the page that they are on. */
  buttons?: Acts<Of>
  maxBytes?: number | undefined
  /** Of whom the page is for, where nobody is signed in whose record says it. */
  languageOf?(context: Of, sent?: Form): Promise<Language | null | undefined>
}

/** Puts pages at their paths, which begin below the site's base; what is only shown needs no more than its function. */
export function addPages(
  app: Hono<PageEnv>,
  service: Service,
  pages: Readonly<Record<string, Page | Page['show']>>
): Hono<PageEnv> {
  for (const [path, one] of Object.entries(pages)) {
    const page: Page = typeof one === 'function' ? { show: one } : one
    const { show, forms = {}, buttons = {}, maxBytes } = page
    const spoken = async (context: PageContext, answer: () => Promise<Response>, sent?: Form) =>
      inLanguage((await page.languageOf?.(context, sent)) ?? language(), answer)
    for (const [name, act] of Object.entries({ ...forms, ...buttons })) {
      const address = name === '' ? path : `${path}/${name}`
      app.post(address, async (c) => {
        const context = { c, service }
        const form = await readForm(c, maxBytes)
        c.set('form', form)
        const answer = async () => {
          try {
            const outcome = await act(context, form)
            if (outcome instanceof Response) return outcome
            return redirectWith(context, outcome.next ?? addressOf(c, path), outcome.message, outcome.kind)
          } catch (error) {
            const refusal = refusalOf(c, error)
            if (name in forms) return show(context, { refusal, values: form.values, form })
            return sayRefusal(context, addressOf(c, path), refusal, error)
          }
        }
        return spoken(context, answer, form)
      })
      // A form that was refused leaves its own address in the bar; opening that again shows the page.
      if (name !== '') app.get(address, (c) => c.redirect(addressOf(c, path), 302))
    }
    app.get(path, (c) => spoken({ c, service }, () => show({ c, service })))
  }
  return app
}

export const baseOf = (c: Context<PageEnv>): string => c.get('portal')?.base ?? CONSOLE_BASE

function addressOf(c: Context<PageEnv>, path: string): string {
  const below = path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(c.req.param(name) ?? ''))
  return (baseOf(c) + below).replace(/\/$/, '') || '/'
}

/** What a mail was about can have changed since: its list says so, and is still there. */
const OF_THE_PAST: ReadonlySet<ErrorCode> = new Set(['team_member_not_found'])

/** @throws the error while nothing can be read or written: neither can the page be shown nor the wish be kept */
function sayRefusal(context: PageContext, path: string, refusal: Refusal, error: unknown): Response {
  const { status, code, message } = refusal
  if (status === 503 || (status === 404 && !OF_THE_PAST.has(code))) throw error
  return redirectWith(context, path, message, 'bad')
}
