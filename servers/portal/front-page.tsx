// What people see who open the service's own address: what it is, and the way to their portal or to the console.
import type { Context } from 'hono'
import { say } from '../../src/language/say.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { REST_PREFIX } from '../rest/routes.ts'
import { page } from './answer.tsx'
import { CONSOLE_LOOK } from './frames.tsx'
import { CONSOLE_BASE } from './rights.ts'
import { Field } from './ui/field.tsx'
import { Button, PlainLink } from './ui/form.tsx'
import { EntryFrame } from './ui/frame.tsx'
import { Row } from './ui/layout.tsx'

/** @param typed the name of a portal that there isn't */
export function showFrontPage(c: Context<RequestEnv>, origin: string, typed: string | undefined) {
  const content = (
    <EntryFrame
      look={CONSOLE_LOOK}
      title={say('Long-term memory for AI agents')}
      intro={say('Providers of AI agents work here, and their customers see what their agents remember.')}
    >
      <form class="form" action="/" method="get">
        <p>{say('Your portal’s address is in your invite mail. Or type its name:')}</p>
        <PortalNameField origin={origin} typed={typed} />
        <Button>{say('Go to my portal')}</Button>
      </form>
      <h2>{say('For providers')}</h2>
      <Row>
        <PlainLink href={CONSOLE_BASE}>{say('Open the console')}</PlainLink>
        <PlainLink href={`${REST_PREFIX}/reference`}>{say('API reference')}</PlainLink>
        <PlainLink href="/api/partner-mcp">{say('Connect an agent')}</PlainLink>
      </Row>
    </EntryFrame>
  )
  return page(c, content, typed ? 404 : 200)
}

/** Says that there is none of the name that was typed before. */
export const PortalNameField = ({ origin, typed }: { origin: string; typed: string | undefined }) => (
  <Field
    name="portal"
    label={say('Your portal’s name')}
    help={say('The last part of its address, {address}', { address: `${origin}/portal/…` })}
    value={typed ?? ''}
    error={typed ? say('There is no portal of this name.') : undefined}
    maxlength={100}
    autocomplete="off"
    required
  />
)
