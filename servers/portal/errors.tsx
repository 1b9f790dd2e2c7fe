import type { Context } from 'hono'
import { ServiceError, statusOf, toServiceError } from '../../src/errors.ts'
import { say } from '../../src/language/say.ts'
import { errorBody } from '../middleware/error-answer.ts'
import { page } from './answer.tsx'
import type { PageEnv } from './env.ts'
import { isJson } from './forms.ts'
import { messageInWords, titleOf } from './refusal-words.ts'
import { TypedTexts, typedTexts } from './typed-text.tsx'
import { LinkButton } from './ui/form.tsx'
import { type Entry, EntryFrame } from './ui/frame.tsx'

/** Answers an error as a page, or as the envelope to who sent JSON or asks for it. */
export async function answerErrorPage(c: Context<PageEnv>, error: unknown, entry: Entry): Promise<Response> {
  if (wantsJson(c)) return answerErrorJson(c, error)
  const refusal = toServiceError(error)
  const status = statusOf(refusal.code)
  noteRefusal(c, refusal)
  const isOutsideRole = refusal.code === 'missing_scope' && c.get('consoleVisitor') !== undefined
  const texts = await typedTexts(c)
  const content = (
    <EntryFrame {...entry} title={isOutsideRole ? 'Not in your role' : titleOf(refusal.code)}>
      <p>{messageInWords(refusal)}</p>
      {status >= 500 ? (
        <p>
          {say('Request id:')} <code>{c.get('requestId')}</code>
        </p>
      ) : null}
      <TypedTexts texts={texts} />
      {entry.homeHref ? <LinkButton href={entry.homeHref}>{say('Go to the start page')}</LinkButton> : null}
    </EntryFrame>
  )
  return page(c, content, status)
}

export function answerErrorJson(c: Context<PageEnv>, error: unknown): Response {
  const refusal = toServiceError(error)
  noteRefusal(c, refusal)
  return c.json(errorBody(refusal, c.get('requestId')), statusOf(refusal.code))
}

/** What the log line and the headers say of a refusal, whatever the page then shows. */
export function noteRefusal(c: Context<PageEnv>, refusal: ServiceError): void {
  const { code, retryAfterSeconds } = refusal
  c.set('code', code)
  if (statusOf(code) >= 500) c.error ??= refusal
  if (retryAfterSeconds === undefined) return
  c.header('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))))
}

export const noSuchPage = (): ServiceError =>
  new ServiceError(
    'not_found',
    'There is no page at this address. It may have moved, or the link was cut off.'
  )

function wantsJson(c: Context<PageEnv>): boolean {
  const accept = c.req.header('accept') ?? ''
  return isJson(c) || (accept.includes('application/json') && !accept.includes('text/html'))
}
