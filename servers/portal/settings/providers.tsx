// The partner's keys at its voice-agent providers: set, test, remove. A key that is set is never shown.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { ProviderKey } from '../../../schemas/provider-key.ts'
import { PROVIDER_APIS } from '../../../schemas/voice-agent.ts'
import {
  listProviderKeys,
  removeProviderKeyOperation,
  setProviderKeyOperation,
  testProviderKey
} from '../../../src/voice-agents/providers/operations.ts'
import { errorAt, type FormState } from '../form-state.ts'
import { callOperation, type Page, showPage } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Button, ConfirmButton, Form, Submit } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { pathTo } from './address.ts'

export const providersPage: Page = {
  async show(context, state) {
    const { data } = await callOperation(context, listProviderKeys)
    const refused = context.c.req.param('provider')
    return showPage(
      context,
      { title: 'Providers', current: 'providers', state },
      data.map((key) => <ProviderCard of={key} state={key.provider === refused ? state : undefined} />)
    )
  },
  forms: {
    async ':provider/key'(context, form) {
      const input = { ...context.c.req.param(), key: form.text('key') }
      await callOperation(context, setProviderKeyOperation, input)
      return { message: 'The key is kept, sealed. Test it before you rely on it.' }
    }
  },
  buttons: {
    ':provider/test': (context) => callOperation(context, testProviderKey, context.c.req.param()),
    ':provider/remove': (context) => callOperation(context, removeProviderKeyOperation, context.c.req.param())
  }
}

const ProviderCard: FC<{ of: z.output<typeof ProviderKey>; state: FormState | undefined }> = ({
  of: { provider, isSet, updatedAt },
  state
}) => {
  const { name, keyPlace } = PROVIDER_APIS[provider]
  const title = `Provider ${provider.toUpperCase()} (${name})`
  return (
    <Card
      title={title}
      description={
        isSet ? (
          <>
            The key was set <Time iso={updatedAt} />. It is kept sealed and never shown.
          </>
        ) : (
          'With your key a voice agent can be mapped to a customer without being imported first.'
        )
      }
      action={isSet ? <Badge tone="good">Key set</Badge> : <Badge tone="neutral">No key</Badge>}
    >
      <Form action={pathTo('providers', provider, 'key')}>
        <Field
          label={isSet ? 'New key' : 'Key'}
          name="key"
          type="password"
          autocomplete="off"
          help={keyPlace}
          error={errorAt(state, 'key', 'The key')}
          maxlength={500}
          mono
          required
        />
        <Submit kind={isSet ? 'plain' : 'primary'}>{isSet ? 'Replace key' : 'Set key'}</Submit>
      </Form>
      {isSet ? (
        <Row>
          <Form action={pathTo('providers', provider, 'test')}>
            <Button kind="plain">Test key</Button>
          </Form>
          <ConfirmButton
            label="Remove key"
            title={`Remove the key of ${title}?`}
            text="Agents that are mapped stay mapped. New ones have to be imported until you set a key again."
            action={pathTo('providers', provider, 'remove')}
          />
        </Row>
      ) : null}
    </Card>
  )
}
