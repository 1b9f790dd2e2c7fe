// Everything that is filled in and pressed.
import type { FC } from 'hono/jsx'
import {
  Checkbox,
  CheckboxGroup,
  Field,
  Fieldset,
  Select,
  TextArea
} from '../../../servers/portal/ui/field.tsx'
import {
  Button,
  ConfirmButton,
  Form,
  FormActions,
  FormError,
  LinkButton
} from '../../../servers/portal/ui/form.tsx'
import { Card, Row } from '../../../servers/portal/ui/layout.tsx'
import { SearchBar } from '../../../servers/portal/ui/search.tsx'

const VOLUMES = [
  { value: '', label: 'Any state' },
  { value: 'active', label: 'Active' }
]

export const Forms: FC = () => (
  <>
    <SearchBar name="search" value="" placeholder="Search by name, e-mail or company">
      <Select label="Order" name="order" options={VOLUMES} value="" />
      <Select label="Subscription" name="subscription" options={VOLUMES} value="active" />
    </SearchBar>
    <Card title="Buttons" description="Each with its hover and focus state.">
      <Row>
        <Button type="button">Send invite</Button>
        <Button type="button" kind="plain">
          Cancel
        </Button>
        <Button type="button" kind="danger">
          Revoke key
        </Button>
        <LinkButton href="/x">A link</LinkButton>
        <LinkButton href="/x" kind="plain">
          A plain link
        </LinkButton>
        <ConfirmButton
          label="Remove"
          title="Remove Marta Ruiz from the team?"
          text="She is signed out at once and can’t come back until you invite her again."
          action="/gallery/remove"
          confirmLabel="Remove Marta Ruiz"
        />
        <ConfirmButton
          kind="plain"
          label="Block access"
          title="Block Clínica Sol’s portal?"
          text="Everybody in it is signed out at once."
          action="/gallery/block"
          confirmLabel="Block portal"
        />
      </Row>
    </Card>
    <Card title="Profile" description="What the portal calls this customer.">
      <Form action="/gallery/profile">
        <Field label="Company" name="company" value="Clínica Sol" required />
        <Field
          label="E-mail"
          name="email"
          type="email"
          value="lucia@"
          error="This is no e-mail address. Write it like name@example.com."
          required
        />
        <Field
          label="Phone"
          name="phone"
          type="tel"
          placeholder="+34 915 550 143"
          help="With the country’s code."
        />
        <Field label="Profit multiplier" name="multiplier" type="number" value={1.4} step="0.1" min={0} />
        <Field label="Logo" name="logo" type="file" help="PNG, JPEG or WebP, at most 512 kB." />
        <Field label="Customer id" name="id" value="cus_01J9ZX8K4N2V7QWERTY" mono readonly />
        <Select label="Call volume" name="volume" options={VOLUMES} value="active" help="A month." />
        <TextArea label="Notes" name="notes" value={'Two lines\nof notes.'} help="Only you see these." />
        <FormActions>
          <Button>Save changes</Button>
          <LinkButton href="/x" kind="plain">
            Cancel
          </LinkButton>
        </FormActions>
      </Form>
    </Card>
    <Card title="Access">
      <Form action="/gallery/access">
        <FormError refusal={{ message: 'You have 20 keys already. Revoke one that is no longer needed.' }} />
        <Fieldset legend="Portal" help="What the customer sees.">
          <Checkbox label="Portal access" name="portal" checked help="Lets the owner and the team sign in." />
          <Checkbox label="Team members" name="team" />
        </Fieldset>
        <Fieldset legend="Key">
          <CheckboxGroup
            legend="Scopes"
            name="scopes"
            help="Give only what is needed."
            values={['customers:read']}
            error="Choose at least one scope."
            options={[
              { value: 'customers:read', label: 'Read customers', help: 'customers:read' },
              { value: 'customers:write', label: 'Change customers', help: 'customers:write' }
            ]}
          />
        </Fieldset>
        <FormActions>
          <Button>Mint key</Button>
        </FormActions>
      </Form>
    </Card>
  </>
)
