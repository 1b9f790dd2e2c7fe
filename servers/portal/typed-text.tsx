// Long texts in a form that nobody takes any more: whoever typed them finds them on the page that says so.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { say } from '../../src/language/say.ts'
import { isOwn } from './csrf.ts'
import type { PageEnv } from './env.ts'
import { isJson, MAX_TEXT_BYTES, readForm } from './forms.ts'
import { TextArea } from './ui/field.tsx'

/** Fields that take some time to fill; none is a secret. */
const LONG_TEXTS = ['content', 'question', 'description', 'note', 'instructions', 'deploymentNotes']

export async function typedTexts(c: Context<PageEnv>): Promise<string[]> {
  // Another site's words aren't shown as if the reader had typed them.
  if (c.req.method !== 'POST' || isJson(c) || !isOwn(c)) return []
  const form = c.get('form') ?? (await readForm(c, MAX_TEXT_BYTES).catch(() => undefined))
  return LONG_TEXTS.flatMap((name) => form?.text(name) ?? [])
}

export const TypedTexts: FC<{ texts: readonly string[] }> = ({ texts }) => (
  <>
    {texts.length > 0 ? <p>{say('Nothing was saved. Here is what you typed, to copy:')}</p> : null}
    {texts.map((text) => (
      <TextArea label={say('Your text')} name="typed" value={text} readonly />
    ))}
  </>
)
