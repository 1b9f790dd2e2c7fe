// The partner's keys at its voice-agent providers: set, test, remove; and the webhook. A key that is set is never shown.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { CallHook, ProviderKey } from '../../../schemas/provider-key.ts'
import { PROVIDER_APIS } from '../../../schemas/voice-agent.ts'
import { getCallHook } from '../../../src/calls/operations.ts'
import {
  listProviderKeys,
  removeProviderKeyOperation,
  setProviderKeyOperation,
  testProviderKey
} from '../../../src/voice-agents/providers/operations.ts'
import { errorAt, type FormState } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { SecretBox, Snippet } from '../ui/copy.tsx'
import { Field } from '../ui/field.tsx'
import { Button, ConfirmButton, Form, PlainLink, Submit } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { pathTo, publicUrlOf } from './address.ts'

export const providersPage: Page = {
  show: (context, state) => showProviders(context, { state }),
  forms: {
    async ':provider/key'(context, form) {
      const input = { ...context.c.req.param(), key: form.text('key') }
      await callOperation(context, setProviderKeyOperation, input)
      return { message: 'The key is kept, sealed. Test it before you rely on it.' }
    }
  },
  buttons: {
    ':provider/hook': async (context) =>
      showProviders(context, { hook: await callOperation(context, getCallHook, context.c.req.param()) }),
    ':provider/test': (context) => callOperation(context, testProviderKey, context.c.req.param()),
    ':provider/remove': (context) => callOperation(context, removeProviderKeyOperation, context.c.req.param())
  }
}

interface Shown {
  state?: FormState | undefined
  hook?: z.output<typeof CallHook>
}

async function showProviders(context: PageContext, shown: Shown): Promise<Response> {
  const { data } = await callOperation(context, listProviderKeys)
  const asked = context.c.req.param('provider')
  const url = publicUrlOf(context.service.config, context.c)
  return showPage(
    context,
    { title: 'Providers', current: 'providers', state: shown.state },
    data.map((key) => <ProviderCard of={key} url={url} {...(key.provider === asked ? shown : {})} />)
  )
}

type ProviderProps = Shown & { of: z.output<typeof ProviderKey>; url: string }

const ProviderCard: FC<ProviderProps> = ({ of: key, url, state, hook }) => {
  const { provider, isSet, updatedAt, testedAt, testError } = key
  const tested = testedAt ? (testError ? 'Test failed' : 'Works') : 'Not tested'
  const { name, keyPlace } = PROVIDER_APIS[provider]
  return (
    <Card
      title={name}
      description={
        isSet ? (
          <>
            The key was set <Time iso={updatedAt} />. It is kept sealed and never shown.{' '}
            {testedAt === null ? (
              'It was not tested yet.'
            ) : (
              <>
                Tested <Time iso={testedAt} />: {testError ?? 'it works.'}
              </>
            )}
          </>
        ) : (
          'With your key your agents and their calls are read from there.'
        )
      }
      action={
        <Badge tone={testError ? 'bad' : testedAt ? 'good' : 'neutral'}>{isSet ? tested : 'No key'}</Badge>
      }
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
            title={`Remove the key of ${name}?`}
            text="Agents that are mapped stay mapped, but their calls are no longer read or billed until you set a key again."
            action={pathTo('providers', provider, 'remove')}
          />
          <Form action={pathTo('providers', provider, 'hook')}>
            <Button kind="plain">Show webhook</Button>
          </Form>
          <PlainLink href={pathTo('usage')}>See how far calls are read</PlainLink>
        </Row>
      ) : null}
      {hook && <Snippet label={`Webhook address for ${name}`} code={url + hook.path} />}
      {hook?.secret ? (
        <SecretBox
          label="Webhook secret"
          secret={hook.secret}
          note="Give it to your provider as bearer token, as secret, or as key of an HMAC-SHA256 signature."
        />
      ) : null}
    </Card>
  )
}
