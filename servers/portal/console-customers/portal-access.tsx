import type { FC } from 'hono/jsx'
import { nameOf } from '../../../src/customers/name.ts'
import {
  enablePortalAccess,
  sendPasswordReset,
  togglePortalBlock
} from '../../../src/portal-access/operations.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { ConfirmButton, Form, Submit } from '../ui/form.tsx'
import { Card, DescriptionList } from '../ui/layout.tsx'
import { Badge } from '../ui/values.tsx'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import { customerPath, PortalState } from './words.tsx'

export const portalAccessPart: Page<CustomerContext> = {
  show: (context, state) =>
    answerPart(context, { part: 'portal-access', state, children: <Cards {...context.customer} /> }),
  forms: {
    invite: (context, form) => callOperation(context, enablePortalAccess, {}, form),
    reset: (context, form) => callOperation(context, sendPasswordReset, {}, form),
    /** Always with the state that the button stands for: a page from before must not undo what was done since. */
    block: (context, form) =>
      callOperation(context, togglePortalBlock, { newStatus: form.raw('newStatus') }, form)
  }
}

const STATE_TEXTS: Readonly<Record<string, string>> = {
  none: 'This customer was never invited and can’t sign in.',
  active: 'This customer and its team can sign in to your portal.',
  suspended: 'This customer and its team are kept out of your portal.'
}

const Cards: FC<ShownCustomer> = (customer) => {
  const { id, email, credentialStatus, customerPortalEnabled } = customer
  const at = (act: string) => customerPath(id, 'portal-access', act)
  const isBlocked = credentialStatus === 'suspended'
  return (
    <>
      <Card title="Portal access" description={STATE_TEXTS[credentialStatus]}>
        <DescriptionList
          items={[
            { term: 'State', value: <PortalState status={credentialStatus} /> },
            { term: 'Signs in as', value: email },
            { term: 'Portal', value: customerPortalEnabled ? <Badge tone="good">On</Badge> : PORTAL_OFF }
          ]}
        />
      </Card>
      {credentialStatus === 'none' ? (
        <Card
          title="Invite to the portal"
          description={`Opens the portal and mails ${email} a link with a temporary password. It works for 7 days.`}
        >
          <Form action={at('invite')}>
            <Submit>Send invite</Submit>
          </Form>
        </Card>
      ) : (
        <>
          <Card
            title="Send a new invite"
            description="Makes a new temporary password and mails it. The old password and the sessions of the owner end."
          >
            <ConfirmButton
              kind="plain"
              label="Send new invite"
              title={`Send ${email} a new invite?`}
              text={
                isBlocked
                  ? 'Access is granted again, and the old password stops working.'
                  : 'The old password stops working, and whoever is signed in with it is signed out.'
              }
              action={at('invite')}
              confirmLabel="Send invite"
            />
          </Card>
          <Card
            title="Reset the password"
            description={`Mails ${email} a link to set a new password. It works for 60 minutes; the old password works until then.`}
          >
            <Form action={at('reset')}>
              <Submit kind="plain">Send reset link</Submit>
            </Form>
          </Card>
          {isBlocked ? (
            <Unblock action={at('block')} />
          ) : (
            <Block action={at('block')} name={nameOf(customer)} />
          )}
        </>
      )}
    </>
  )
}

const PORTAL_OFF = (
  <>
    <Badge tone="warn">Off</Badge> Nobody of this customer can sign in until it is on. A new invite switches
    it on.
  </>
)

const Unblock: FC<{ action: string }> = ({ action }) => (
  <Card
    title="Grant access again"
    description="The customer and its team can sign in again with their passwords."
  >
    <Form action={action}>
      <input type="hidden" name="newStatus" value="active" />
      <Submit>Grant access</Submit>
    </Form>
  </Card>
)

const Block: FC<{ action: string; name: string }> = ({ action, name }) => (
  <Card
    tone="danger"
    title="Block access"
    description="Signs the customer and its whole team out at once and keeps them out. Nothing is deleted."
  >
    <ConfirmButton
      label="Block access"
      title={`Block ${name}?`}
      text="Everybody who is signed in to this customer’s portal is signed out at once. You can grant access again at any time."
      action={action}
      fields={{ newStatus: 'suspended' }}
    />
  </Card>
)
