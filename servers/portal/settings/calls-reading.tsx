// How far a provider's calls are read, and where the provider tells of them.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { CallHook, UsageSyncState } from '../../../schemas/usage-sync.ts'
import { PROVIDER_APIS } from '../../../schemas/voice-agent.ts'
import { SecretBox, Snippet } from '../ui/copy.tsx'
import { Button, ConfirmButton, Form, Notice } from '../ui/form.tsx'
import { DescriptionList, Row } from '../ui/layout.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { pathTo } from './address.ts'

export type ShownHook = Pick<z.output<typeof CallHook>, 'path' | 'secret'>

type Sync = z.output<typeof UsageSyncState>

export const CallsReading: FC<{ of: Sync; url: string; hook: ShownHook | undefined }> = ({
  of: sync,
  url,
  hook
}) => {
  const { provider, readUntil, lastReadAt, nextReadAt, error } = sync
  const { name } = PROVIDER_APIS[provider]
  return (
    <>
      <DescriptionList
        items={[
          { term: 'Calls', value: <SyncBadge of={sync} /> },
          { term: 'Read until', value: readUntil && <Time iso={readUntil} /> },
          { term: 'Last read', value: lastReadAt && <Time iso={lastReadAt} /> },
          { term: 'Next', value: nextReadAt && <Time iso={nextReadAt} /> }
        ]}
      />
      {error === null ? null : <Notice tone="bad">{error}</Notice>}
      <Row>
        <Form action={pathTo('providers', provider, 'read')}>
          <Button kind="plain">Read calls now</Button>
        </Form>
        {hook ? (
          <ConfirmButton
            label="Replace webhook"
            title={`Replace the webhook of ${name}?`}
            text="The address ends at once. Until you give the new one to your provider, calls come in every few minutes."
            action={pathTo('providers', provider, 'hook', 'rotate')}
          />
        ) : (
          <Form action={pathTo('providers', provider, 'hook')}>
            <Button kind="plain">Show webhook</Button>
          </Form>
        )}
      </Row>
      {hook ? <Snippet label={`Webhook address for ${name}`} code={url + hook.path} /> : null}
      {hook?.secret ? (
        <SecretBox
          label="Webhook secret"
          secret={hook.secret}
          note="Give it to your provider as bearer token, as secret, or as key of an HMAC-SHA256 signature."
        />
      ) : null}
    </>
  )
}

const SyncBadge: FC<{ of: Sync }> = ({ of: { isReading, isBehind, nextReadAt, readUntil } }) => {
  if (nextReadAt === null) return <Badge tone="bad">Not read any more</Badge>
  if (isBehind) return <Badge tone="warn">Behind</Badge>
  if (isReading) return <Badge tone="neutral">Being read</Badge>
  return readUntil === null ? (
    <Badge tone="neutral">Not read yet</Badge>
  ) : (
    <Badge tone="good">Up to date</Badge>
  )
}
