// The partner's keys at its voice-agent providers: set, test, remove. A key that is set is never shown.

import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { ProviderKey } from '../../../schemas/provider-key.ts'
import type { Provider } from '../../../schemas/voice-agent.ts'
import type { Service } from '../../../src/service.ts'
import {
  listProviderKeys,
  removeProviderKeyOperation,
  setProviderKeyOperation,
  testProviderKey
} from '../../../src/voice-agents/providers/operations.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { errorAt, type FormState } from '../form-state.ts'
import { ConsolePage } from '../frames.tsx'
import { acted, callOperation, redirectWith, submitForm } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Button, ConfirmButton, Form, FormError, Submit } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { pathTo } from './address.ts'

const LIST = pathTo('providers')

const NAMES: Record<Provider, { title: string; where: string }> = {
  a: { title: 'Provider A (Vapi)', where: 'Vapi’s dashboard has it under API keys: the private one.' },
  b: { title: 'Provider B (Retell)', where: 'Retell’s dashboard has it under API keys.' }
}

/** `/providers` and below. */
export function providerPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  const listed = async (c: Context<PageEnv>) => (await callOperation({ c, service }, listProviderKeys)).data

  pages.get('/', async (c) => page(c, <ProvidersPage c={c} keys={await listed(c)} />))

  pages.post('/:provider/key', (c) => {
    const context = { c, service }
    const provider = c.req.param('provider')
    return submitForm(context, {
      async act(form) {
        await callOperation(context, setProviderKeyOperation, { provider, key: form.text('key') })
        return redirectWith(context, LIST, 'The key is kept, sealed. Test it before you rely on it.')
      },
      async again(state) {
        const shown = <ProvidersPage c={c} keys={await listed(c)} refused={{ provider, state }} />
        return page(c, shown, state.refusal?.status)
      }
    })
  })

  pages.post('/:provider/test', (c) => {
    const input = { provider: c.req.param('provider') }
    return acted({ c, service }, LIST, () => callOperation({ c, service }, testProviderKey, input))
  })

  pages.post('/:provider/remove', (c) => {
    const input = { provider: c.req.param('provider') }
    return acted({ c, service }, LIST, () => callOperation({ c, service }, removeProviderKeyOperation, input))
  })

  return pages
}

type Key = z.output<typeof ProviderKey>

const ProvidersPage: FC<{
  c: Context<PageEnv>
  keys: readonly Key[]
  refused?: { provider: string; state: FormState }
}> = ({ c, keys, refused }) => (
  <ConsolePage c={c} title="Providers" current="providers">
    {keys.map((key) => (
      <ProviderCard of={key} state={refused?.provider === key.provider ? refused.state : undefined} />
    ))}
  </ConsolePage>
)

const ProviderCard: FC<{ of: Key; state: FormState | undefined }> = ({
  of: { provider, isSet, updatedAt },
  state
}) => {
  const { title, where } = NAMES[provider]
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
        <FormError refusal={state?.refusal} />
        <Field
          label={isSet ? 'New key' : 'Key'}
          name="key"
          type="password"
          autocomplete="off"
          help={where}
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
            confirmLabel="Remove key"
          />
        </Row>
      ) : null}
    </Card>
  )
}
