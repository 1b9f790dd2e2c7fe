// Where a partner's own software is told of what happens: the list, adding one, and one with its log.
import type { FC } from 'hono/jsx'
import { z } from 'zod'
import {
  AddWebhook,
  type Delivery,
  DeliveryStatus,
  EVENT_TYPES,
  EVENTS,
  ListDeliveries,
  type Webhook
} from '../../../schemas/webhook.ts'
import {
  addWebhook,
  listDeliveriesOperation,
  listWebhooksOperation,
  removeWebhook,
  rotateWebhookSecret,
  sendAgain,
  testWebhook,
  updateWebhook
} from '../../../src/webhooks/operations.ts'
import { noSuchPage } from '../errors.tsx'
import { FieldControls, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import { DayFields, listQuery } from '../listing.tsx'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { FactsCard } from '../ui/cards.tsx'
import { SecretBox } from '../ui/copy.tsx'
import { ActButton, ConfirmButton, FormCard, LinkButton } from '../ui/form.tsx'
import { Row, Tabs } from '../ui/layout.tsx'
import { FilterBar } from '../ui/search.tsx'
import { hidden, Pager, Table } from '../ui/table.tsx'
import { type State, StateBadge, Time } from '../ui/values.tsx'
import { asked, pagesOf, pathTo, withQuery } from './address.ts'

const LIST = pathTo('webhooks')
const NEW = pathTo('webhooks', 'new')
const FIELDS = fieldsOf(AddWebhook.shape).map((field) =>
  field.name === 'types' ? { ...field, control: 'choice' as const } : field
)

async function showList(context: PageContext): Promise<Response> {
  const { data } = await callOperation(context, listWebhooksOperation)
  const action = <LinkButton href={NEW}>Add a webhook</LinkButton>
  return showPage(
    context,
    { title: 'Webhooks', current: 'webhooks', action },
    <Table
      caption="Webhooks"
      columns={['Address', 'Events', 'State']}
      rows={data.map((one) => ({
        href: pathTo('webhooks', one.webhookId),
        cells: [titleOf(one), one.types.join(', ') || 'All', <WebhookState of={one} />]
      }))}
      empty={{ ...NONE_YET, action }}
    />
  )
}

const NONE_YET = {
  title: 'No webhook yet',
  text: 'Your own software can be told of customers, portal access, agents, credits, memories, deploys and statements as they change.'
}

const titleOf = ({ name, url }: Webhook): string => name || url

const newWebhook: Page = {
  show: (context, state) =>
    showPage(
      context,
      {
        title: 'Add a webhook',
        current: 'webhooks',
        breadcrumbs: [{ href: LIST, label: 'Webhooks' }],
        state
      },
      <FormCard sendsTo={NEW} verb="Add webhook">
        <FieldControls of={FIELDS} choices={CHOICES} state={state} />
      </FormCard>
    ),
  forms: {
    async ''(context, form) {
      const { secret, webhookId } = await callOperation(context, addWebhook, typedInput(form, FIELDS), form)
      return showSecret(context, webhookId, secret)
    }
  }
}

const showSecret = (context: PageContext, webhookId: string, secret: string | null) =>
  showPage(
    context,
    { title: 'The webhook’s secret', current: 'webhooks' },
    <>
      {secret === null ? (
        <p>This form was sent twice. The secret was shown already: exchange it if you didn’t copy it.</p>
      ) : (
        <SecretBox
          label="Secret"
          secret={secret}
          note="It is shown this once. With it your program tells our events from others’, by any library of Standard Webhooks."
        />
      )}
      <LinkButton href={pathTo('webhooks', webhookId)}>Go on to the webhook</LinkButton>
    </>
  )

const TYPES = EVENT_TYPES.map((value) => ({ value, label: value, help: EVENTS[value].meaning }))
/** A test comes whatever is chosen. */
const CHOICES = { types: TYPES.filter(({ value }) => value !== 'webhook.test') }
const { status, type } = ListDeliveries.shape
const Query = listQuery(z.undefined())
  .pick({ page: true, createdFrom: true, createdTo: true })
  .extend({ status: asked(status), type: asked(type) })

async function showOne(context: PageContext, state?: FormState): Promise<Response> {
  const webhookId = context.c.req.param('webhookId') ?? ''
  const { data: all } = await callOperation(context, listWebhooksOperation)
  const webhook = all.find((one) => one.webhookId === webhookId)
  if (!webhook) throw noSuchPage()
  const { page, ...query } = Query.parse(context.c.req.query())
  const given = { webhookId, page, ...query }
  const { data, pagination } = await callOperation(context, listDeliveriesOperation, given)
  const path = pathTo('webhooks', webhookId)
  const { isActive, failingSince, fullSince, formerSecretUntil } = webhook
  return showPage(
    context,
    {
      title: titleOf(webhook),
      current: 'webhooks',
      breadcrumbs: [{ href: LIST, label: 'Webhooks' }],
      state,
      action: <ActButton action={`${path}/test`}>Send a test</ActButton>
    },
    <>
      <FactsCard
        items={[
          { term: 'State', value: <WebhookState of={webhook} /> },
          ...(failingSince ? [{ term: 'Failing since', value: <Time iso={failingSince} /> }] : []),
          ...(fullSince ? [{ term: 'Events lost since', value: <Time iso={fullSince} /> }] : []),
          ...(formerSecretUntil
            ? [{ term: 'Former secret signs until', value: <Time iso={formerSecretUntil} /> }]
            : [])
        ]}
      />
      <Tabs
        label="Deliveries by state"
        items={[undefined, ...DeliveryStatus.options].map((one) => ({
          href: withQuery(path, { ...query, status: one }),
          label: one ? STATES[one].label : 'All',
          current: one === query.status
        }))}
      />
      <FilterBar
        action={path}
        filters={[{ label: 'Event', name: 'type', value: query.type, options: TYPES }]}
      >
        {query.status && <input type="hidden" name="status" value={query.status} />}
        <DayFields of={query} />
      </FilterBar>
      <Table
        caption="Deliveries, newest first"
        columns={['Event', 'State', 'Happened', hidden('Send again')]}
        rows={data.map((one) => ({
          cells: [
            <>
              {one.type} <code>{one.eventId}</code>
              <br />
              <code>{one.body}</code>
            </>,
            <DeliveryState of={one} />,
            <Time iso={one.createdAt} />,
            one.status === 'queued' ? null : (
              <ActButton action={`${path}/${one.eventId}/again`}>Send again</ActButton>
            )
          ]
        }))}
        empty={{ title: 'No delivery', text: 'What is sent to this address appears here.' }}
      />
      <Pager pagination={pagination} hrefOf={pagesOf(path, query)} />
      <FormCard title="Change it" sendsTo={path} verb="Save webhook">
        <FieldControls of={FIELDS} saved={webhook} choices={CHOICES} state={state} />
      </FormCard>
      <Row>
        <ActButton action={`${path}/all-again`}>Send all again that were given up</ActButton>
        <ActButton action={`${path}/${isActive ? 'off' : 'on'}`}>
          {isActive ? 'Switch off' : 'Switch on'}
        </ActButton>
        <ConfirmButton
          label="Exchange secret"
          kind="plain"
          title="Exchange the secret?"
          text="The new one is shown once. For a day both sign, so that your program can change over."
          action={`${path}/rotate`}
        />
        <ConfirmButton
          label="Remove"
          title={`Remove ${titleOf(webhook)}?`}
          text="Nothing is sent there any more, and its log goes with it."
          action={`${path}/remove`}
        />
      </Row>
    </>
  )
}

const oneWebhook: Page = {
  show: showOne,
  forms: {
    ''(context, form) {
      const changes = { ...context.c.req.param(), ...typedInput(form, FIELDS) }
      return callOperation(context, updateWebhook, changes)
    }
  },
  buttons: {
    test: (context) => callOperation(context, testWebhook, context.c.req.param()),
    on: (context) => callOperation(context, updateWebhook, { ...context.c.req.param(), isActive: true }),
    off: (context) => callOperation(context, updateWebhook, { ...context.c.req.param(), isActive: false }),
    'all-again': (context) => callOperation(context, sendAgain, context.c.req.param()),
    ':eventId/again': (context) => callOperation(context, sendAgain, context.c.req.param()),
    async rotate(context, form) {
      const { secret, webhookId } = await callOperation(
        context,
        rotateWebhookSecret,
        context.c.req.param(),
        form
      )
      return showSecret(context, webhookId, secret)
    },
    remove: async (context) => ({
      ...(await callOperation(context, removeWebhook, context.c.req.param())),
      next: LIST
    })
  }
}

export const webhookPages = {
  '/webhooks': showList,
  '/webhooks/new': newWebhook,
  '/webhooks/:webhookId': oneWebhook
}

const ON: State = { tone: 'good', label: 'On' }
const OFF: State = { tone: 'neutral', label: 'Off' }
const FAILS: State = { tone: 'bad', label: 'Fails' }

const WebhookState: FC<{ of: Webhook }> = ({ of: { isActive, trouble } }) => (
  <div>
    <StateBadge {...(isActive ? (trouble ? FAILS : ON) : OFF)} />
    {trouble && <p>{trouble}</p>}
  </div>
)

const STATES: Record<DeliveryStatus, State> = {
  queued: { tone: 'neutral', label: 'Waiting' },
  sent: { tone: 'good', label: 'Delivered' },
  failed: { tone: 'bad', label: 'Given up' }
}

const DeliveryState: FC<{ of: Delivery }> = ({ of: { status, attempts, lastError, nextAttemptAt } }) => (
  <div>
    <StateBadge {...STATES[status]} />
    {lastError === null ? null : (
      <p>
        {lastError} {attempts === 1 ? 'Tried once.' : `Tried ${attempts} times.`}
        {status === 'queued' ? (
          <>
            {' '}
            Next <Time iso={nextAttemptAt} />.
          </>
        ) : null}
      </p>
    )}
  </div>
)
