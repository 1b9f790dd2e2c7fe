// For who may enter several portals: which one.
import type { FC } from 'hono/jsx'
import { membershipKey } from '../../src/portal-access/enter.ts'
import type { Membership } from '../../src/portal-access/memberships.ts'
import { ROLE_NAMES } from './frames.tsx'
import { Button, Form } from './ui/form.tsx'
import { type Door, DoorFrame } from './ui/frame.tsx'
import { Stack } from './ui/layout.tsx'

interface ChooseProps {
  door: Door
  base: string
  memberships: readonly Membership[]
}

export const ChoosePage: FC<ChooseProps> = ({ door, base, memberships }) => (
  <DoorFrame
    {...door}
    title="Where do you want to go?"
    intro={
      memberships.length === 0
        ? 'No portal is open to you right now. Ask whoever invited you.'
        : 'Your address opens more than one account here. You can switch later on your account page.'
    }
    footer={
      <Form action={`${base}/sign-out`}>
        <Button kind="plain">Sign out</Button>
      </Form>
    }
  >
    <Form action={`${base}/choose`}>
      <Stack>
        {memberships.map((membership) => (
          <Button kind="plain" name="membership" value={membershipKey(membership)}>
            {membership.customerName} · {ROLE_NAMES[membership.role]}
          </Button>
        ))}
      </Stack>
    </Form>
  </DoorFrame>
)
