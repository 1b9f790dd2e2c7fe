// A customer's token, this once, with what to paste where.
import type { FC } from 'hono/jsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FormActions } from '../ui/form.tsx'
import { SecretBox } from '../ui/secret.tsx'
import { Snippet } from '../ui/snippet.tsx'

interface NewTokenProps {
  /** Nothing when the form was sent twice. */
  token: string | null
  /** The service as agents reach it. */
  url: string
  doneHref: string
}

export const NewToken: FC<NewTokenProps> = ({ token, url, doneHref }) => (
  <>
    {token === null ? (
      <Card title="This token was shown already">
        <p>
          This form was sent twice. The token was made once and can’t be shown again: if you didn’t copy it,
          revoke it and make another one.
        </p>
      </Card>
    ) : (
      <>
        <SecretBox
          label="Token"
          secret={token}
          note="Copy it now and hand it over safely: it is shown this once."
        />
        <Card title="Use it">
          <Snippet
            label="Claude Code"
            code={`claude mcp add --transport http memory ${url}/api/mcp \\\n  --header "Authorization: Bearer ${token}"`}
          />
        </Card>
      </>
    )}
    <FormActions>
      <LinkButton href={doneHref}>Done</LinkButton>
    </FormActions>
  </>
)
