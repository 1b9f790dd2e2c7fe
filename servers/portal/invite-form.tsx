// Inviting somebody to a customer's team, as console and portal ask it.
import type { FC } from 'hono/jsx'
import { AddTeamMember } from '../../schemas/team-member.ts'
import type { Refusal } from './forms.ts'
import { Field, Select } from './ui/field.tsx'
import { Form, FormError, Submit } from './ui/form.tsx'
import { asked, type Tried } from './visit.ts'

interface InviteFormProps {
  action: string
  tried: Tried | undefined
  /** Shown above the fields. */
  refusal?: Refusal | undefined
  /** What the role of an admin is for, to whom the form is shown. */
  adminLabel: string
}

export const InviteForm: FC<InviteFormProps> = ({ action, tried, refusal, adminLabel }) => (
  <Form action={action}>
    <FormError refusal={refusal} />
    <Field
      {...asked(tried, 'name', 'Name')}
      maxlength={AddTeamMember.shape.name.maxLength ?? undefined}
      autocomplete="off"
      required
    />
    <Field {...asked(tried, 'email', 'E-mail')} type="email" maxlength={254} autocomplete="off" required />
    <Select
      {...asked(tried, 'role', 'Role', 'member')}
      options={[
        { value: 'member', label: 'Member: reads and asks' },
        { value: 'admin', label: adminLabel }
      ]}
    />
    <Submit>Send invite</Submit>
  </Form>
)
