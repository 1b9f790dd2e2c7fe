// What is asked of people who sign in: the partner's own, and its customers'.
import { Security } from '../../../schemas/security.ts'
import { getSecurity, updateSecurity } from '../../../src/portal-access/security-operations.ts'
import { FieldControls, fieldsOf, typedInput } from '../field-control.tsx'
import { callOperation, type Page, showPage } from '../page-kit.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { pathTo } from './address.ts'

const FIELDS = fieldsOf(Security.shape)

export const securityPage: Page = {
  async show(context, state) {
    const { data } = await callOperation(context, getSecurity)
    return showPage(
      context,
      { title: 'Sign-in', current: 'security', state },
      <Card
        title="Second step"
        description="After the password comes a code of an app or a passkey. Who has none sets one up first, as soon as you ask for it."
      >
        <Form action={pathTo('security')}>
          <FieldControls of={FIELDS} saved={data} state={state} />
          <Submit>Save settings</Submit>
        </Form>
      </Card>
    )
  },
  forms: { '': (context, form) => callOperation(context, updateSecurity, typedInput(form, FIELDS)) }
}
