import type { FC } from 'hono/jsx'
import { nameOf } from '../../../src/customers/name.ts'
import {
  enablePortalAccess,
  sendPasswordReset,
  togglePortalBlock,
  viewPortal
} from '../../../src/portal-access/operations.ts'
import { resetCustomerFactors } from '../../../src/portal-access/security-operations.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { FactsCard } from '../ui/cards.tsx'
import { ConfirmButton, FormCard } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { keepView } from '../visitors.ts'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import { customerPath, PortalState } from './words.tsx'

export const portalAccessPart: Page<CustomerContext> = {
  show: (context, state) =>
    answerPart(context, { part: 'portal-access', state, children: <Cards {...context.customer} /> }),
  forms: {
    invite: (context, form) => callOperation(context, enablePortalAccess, {}, form),
    'reset-factors': (context) => callOperation(context, resetCustomerFactors),
    reset: (context, form) => callOperation(context, sendPasswordReset, {}, form),
    /** Always with the state that the button stands for: a page from before must not undo what was done since. */
    block: (context, form) =>
      callOperation(context, togglePortalBlock, { newStatus: form.raw('newStatus') }, form),
    /** Shows the portal as its customer sees it; nothing can be changed there. */
    async view(context) {
      const { token, slug } = await callOperation(context, viewPortal)
      keepView(context.c, token)
      return context.c.redirect(`/portal/${slug}`, 303)
    }
  }
}

const STATE_TEXTS: Record<ShownCustomer['portalAccess']['state'], string> = {
  none: 'This customer was never invited and can’t sign in.',
  invited: 'The invite is out, and its owner hasn’t come yet.',
  lapsed: 'Nobody took the invite in time: its link and password no longer work. Send a new one.',
  active: 'This customer and its team can sign in to your portal.',
  blocked: 'This customer and its team are kept out of your portal.',
  off: 'Nobody of this customer can sign in until the portal is on. A new invite switches it on.'
}

const Cards: FC<ShownCustomer> = (customer) => {
  const { id, email, credentialStatus, portalAccess } = customer
  const at = (act: string) => customerPath(id, 'portal-access', act)
  const isBlocked = credentialStatus === 'suspended'
  return (
    <>
      <FactsCard
        title="Portal access"
        description={STATE_TEXTS[portalAccess.state]}
        items={[
          { term: 'State', value: <PortalState {...portalAccess} /> },
          { term: 'Signs in as', value: email }
        ]}
      />
      {credentialStatus === 'none' ? (
        <FormCard
          title="Invite to the portal"
          sendsTo={at('invite')}
          description={`Opens the portal and mails ${email} a link with a temporary password. It works for 7 days.`}
          verb="Send invite"
        />
      ) : (
        <>
          <Card
            title="Send a new invite"
            sendsTo={at('invite')}
            description="Mails a new link and temporary password; earlier ones end, and its portal’s sessions. A password that the owner chose works on."
          >
            <ConfirmButton
              kind="plain"
              label="Send new invite"
              title={`Send ${email} a new invite?`}
              text={
                isBlocked
                  ? 'Access is granted again, and an earlier invite ends.'
                  : 'An earlier invite ends, and whoever is signed in to its portal is signed out.'
              }
              action={at('invite')}
              confirmLabel="Send invite"
            />
          </Card>
          <FormCard
            title="Reset the password"
            sendsTo={at('reset')}
            description={`Mails ${email} a link to set a new password. It works for 60 minutes; the old password works until then.`}
            verb="Send reset link"
            kind="plain"
          />
          <Card
            title="Turn off the second step"
            sendsTo={at('reset-factors')}
            description="For a phone that is lost. The owner is signed out, and signs in with the password alone."
          >
            <ConfirmButton
              kind="plain"
              label="Turn off"
              title={`Turn off ${email}’s second step?`}
              text="The password alone lets in then. Be sure that it is them who ask."
              action={at('reset-factors')}
            />
          </Card>
          {isBlocked ? (
            <FormCard
              title="Grant access again"
              sendsTo={at('block')}
              description="The customer and its team can sign in again with their passwords."
              verb="Grant access"
            >
              <input type="hidden" name="newStatus" value="active" />
            </FormCard>
          ) : (
            <Block action={at('block')} name={nameOf(customer)} />
          )}
        </>
      )}
    </>
  )
}

const Block: FC<{ action: string; name: string }> = ({ action, name }) => (
  <Card
    tone="danger"
    title="Block access"
    sendsTo={action}
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
