// The partner's keys at its voice-agent providers: set, test, remove. A key that is set is never shown.
import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { type ProviderKey, ProviderKeyList, ProviderKeyTest } from '../../../schemas/provider-key.ts'
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
import { fieldError, type Refusal, readForm } from '../forms.ts'
import { consoleFrame } from '../frames.tsx'
import { perform } from '../perform.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { ConsoleFrame } from '../ui/frame.tsx'
import { Row } from '../ui/stack.tsx'
import { Time } from '../ui/time.tsx'
import { pathTo } from './address.ts'
import { acted, tried } from './outcome.ts'

const LIST = pathTo('providers')

const NAMES: Record<Provider, { title: string; where: string }> = {
  a: { title: 'Provider A (Vapi)', where: 'Vapi’s dashboard has it under API keys: the private one.' },
  b: { title: 'Provider B (Retell)', where: 'Retell’s dashboard has it under API keys.' }
}

/** `/providers` and below. */
export function providerPages(service: Service): Hono<PageEnv> {
  const pages = new Hono<PageEnv>()

  const listed = async (c: Context<PageEnv>) => {
    const { caller } = c.get('consoleVisitor')
    const { data } = await perform(service, c, listProviderKeys, {
      caller,
      input: {},
      output: ProviderKeyList
    })
    return data
  }

  pages.get('/', async (c) => page(c, <ProvidersPage c={c} keys={await listed(c)} />))

  pages.post('/:provider/key', async (c) => {
    const form = await readForm(c)
    const { caller } = c.get('consoleVisitor')
    const provider = c.req.param('provider')
    const { refusal } = await tried({ key: 'The key' }, () =>
      perform(service, c, setProviderKeyOperation, {
        caller,
        input: { provider, key: form.text('key') },
        output: Acknowledgement
      })
    )
    if (refusal) {
      const again = <ProvidersPage c={c} keys={await listed(c)} refused={{ provider, refusal }} />
      return page(c, again, refusal.status)
    }
    return acted(c, service, LIST, async () => ({
      message: 'The key is kept, sealed. Test it before you rely on it.'
    }))
  })

  pages.post('/:provider/test', (c) => {
    const { caller } = c.get('consoleVisitor')
    const input = { provider: c.req.param('provider') }
    return acted(c, service, LIST, () =>
      perform(service, c, testProviderKey, { caller, input, output: ProviderKeyTest })
    )
  })

  pages.post('/:provider/remove', (c) => {
    const { caller } = c.get('consoleVisitor')
    const input = { provider: c.req.param('provider') }
    return acted(c, service, LIST, () =>
      perform(service, c, removeProviderKeyOperation, { caller, input, output: Acknowledgement })
    )
  })

  return pages
}

type Key = z.output<typeof ProviderKey>

const ProvidersPage: FC<{
  c: Context<PageEnv>
  keys: readonly Key[]
  refused?: { provider: string; refusal: Refusal }
}> = ({ c, keys, refused }) => (
  <ConsoleFrame {...consoleFrame(c)} title="Providers" current="providers">
    {keys.map((key) => (
      <ProviderCard of={key} refusal={refused?.provider === key.provider ? refused.refusal : undefined} />
    ))}
  </ConsoleFrame>
)

const ProviderCard: FC<{ of: Key; refusal: Refusal | undefined }> = ({
  of: { provider, isSet, updatedAt },
  refusal
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
        <FormError refusal={refusal} />
        <Field
          label={isSet ? 'New key' : 'Key'}
          name="key"
          type="password"
          autocomplete="off"
          help={where}
          error={fieldError(refusal, 'key')}
          maxlength={500}
          mono
          required
        />
        <FormActions>
          <Button kind={isSet ? 'plain' : 'primary'}>{isSet ? 'Replace key' : 'Set key'}</Button>
        </FormActions>
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
