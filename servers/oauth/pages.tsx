// What a person sees of the authorization server itself: that a request can't be answered, and which portal is meant.
import type { Context } from 'hono'
import { inLanguage, pieces, say, type Text } from '../../src/language/say.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { page } from '../portal/answer.tsx'
import { CONSOLE_LOOK } from '../portal/frames.tsx'
import { PortalNameField } from '../portal/front-page.tsx'
import { languageAsked } from '../portal/language.ts'
import { Button } from '../portal/ui/form.tsx'
import { EntryFrame } from '../portal/ui/frame.tsx'
import { ROUTES } from './resources.ts'

/** What went wrong, in words; nothing is sent to an address that may be a stranger's. */
const WORDS: Record<string, Text> = {
  invalid_client:
    'We don’t know this app, or it couldn’t be looked up. Remove the connection there, and add it again.',
  invalid_redirect_uri:
    'The app asks to be answered at an address that isn’t its own. Nothing was sent there.',
  invalid_target: 'The app asks for an address that isn’t served here.',
  invalid_request: 'The app’s request can’t be read, or has expired. Begin again in the app.'
}

interface Refusal {
  error?: string
  error_description?: string
}

export const answerOauthError = (c: Context<RequestEnv>, refusal: Refusal, status?: number) =>
  inLanguage(languageAsked(c), () => errorPage(c, refusal, status))

function errorPage(c: Context<RequestEnv>, refusal: Refusal, status = 400): Promise<Response> {
  const { error = 'server_error', error_description: description } = refusal
  const content = (
    <EntryFrame look={CONSOLE_LOOK} title={say('This app can’t be connected')}>
      <p>
        {say(
          WORDS[error] ?? 'The request has expired, or was begun in another browser. Begin again in the app.'
        )}
      </p>
      <p>
        {pieces('For whoever makes the app: {error}', {
          error: (
            <bdi>
              <code>{error}</code>
              {description ? `, ${description}` : null}
            </bdi>
          )
        })}
      </p>
    </EntryFrame>
  )
  return page(c, content, status >= 500 ? 500 : 400)
}

/** On an address that is nobody's in particular. It begins the request anew, with the portal's name beside it. */
export const askForPortal = (c: Context<RequestEnv>, issuer: string, query: URLSearchParams) =>
  inLanguage(languageAsked(c), () => portalPage(c, issuer, query))

function portalPage(c: Context<RequestEnv>, issuer: string, query: URLSearchParams) {
  const typed = query.get('portal')
  const content = (
    <EntryFrame
      look={CONSOLE_LOOK}
      title={say('Which portal is yours?')}
      intro={say('An app wants to be connected to your memory. Sign in where you always do.')}
    >
      <form class="form" action={ROUTES.authorization} method="get">
        {[...query].map(([name, value]) =>
          name === 'portal' ? null : <input type="hidden" name={name} value={value} />
        )}
        <PortalNameField origin={issuer} typed={typed ?? undefined} />
        <Button>{say('Go on')}</Button>
      </form>
    </EntryFrame>
  )
  return page(c, content, typed ? 404 : 200)
}
