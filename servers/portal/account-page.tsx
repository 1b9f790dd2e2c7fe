// One's own account, the same at both doors: who one is, the password, and where one is signed in.
import type { Child, FC } from 'hono/jsx'
import type { ListedSession } from '../../src/portal-access/sessions.ts'
import { browserName } from './browser-name.ts'
import { NewPasswordField } from './door-forms.tsx'
import { fieldError, type Refusal } from './forms.ts'
import { Badge } from './ui/badge.tsx'
import { Button } from './ui/button.tsx'
import { Card, DescriptionList } from './ui/card.tsx'
import { ConfirmButton } from './ui/confirm.tsx'
import { Field } from './ui/field.tsx'
import { Form, FormActions, FormError } from './ui/form.tsx'
import { Row, Stack } from './ui/stack.tsx'
import { Table } from './ui/table.tsx'
import { Time } from './ui/time.tsx'

export interface AccountProps {
  /** Where the page stands; its forms lie below. */
  path: string
  you: { term: string; value: Child }[]
  /** Beside who one is. */
  youAction?: Child
  email: string
  sessions: readonly ListedSession[]
  /** The session that shows this page. */
  currentId: string
  refusal?: Refusal | undefined
}

export const Account: FC<AccountProps> = ({ path, you, youAction, email, sessions, currentId, refusal }) => (
  <Stack>
    <Card title="You" action={youAction}>
      <DescriptionList items={you} />
    </Card>
    <Card title="Password" description="Changing it signs you out everywhere else.">
      <Form action={`${path}/password`}>
        <FormError refusal={refusal} />
        <input type="text" name="username" value={email} autocomplete="username" hidden />
        <Field
          label="Present password"
          name="current"
          type="password"
          required
          autocomplete="current-password"
          error={fieldError(refusal, 'current')}
        />
        <NewPasswordField error={fieldError(refusal, 'password')} />
        <FormActions>
          <Button>Change the password</Button>
        </FormActions>
      </Form>
    </Card>
    <Card title="Where you are signed in" description="End what you don’t know, and change your password.">
      <Stack>
        <Table
          caption="Your sessions"
          columns={[
            { title: 'Browser' },
            { title: 'Last seen' },
            { title: 'Signed in', narrow: 'hide' },
            { title: 'Actions', hidden: true }
          ]}
          rows={sessions.map((session) => sessionRow(path, session, session.id === currentId))}
          empty={null}
        />
        <Row>
          {sessions.length > 1 ? (
            <Form action={`${path}/sessions/end-others`}>
              <Button kind="plain">Sign out everywhere else</Button>
            </Form>
          ) : null}
          <ConfirmButton
            label="Sign out everywhere"
            title="Sign out everywhere?"
            text="This browser is signed out, too. You sign in again with your password."
            action={`${path}/sessions/end-all`}
            confirmLabel="Sign out everywhere"
          />
        </Row>
      </Stack>
    </Card>
  </Stack>
)

const sessionRow = (
  path: string,
  { id, userAgent, lastSeenAt, createdAt }: ListedSession,
  isThis: boolean
) => ({
  key: id,
  cells: [
    browserName(userAgent),
    isThis ? <Badge tone="good">This browser</Badge> : <Time iso={lastSeenAt} />,
    <Time iso={createdAt} />,
    isThis ? null : (
      <Form action={`${path}/sessions/${id}/end`}>
        <Button kind="plain" label={`Sign out: ${browserName(userAgent)}`}>
          Sign out
        </Button>
      </Form>
    )
  ]
})
