import type { z } from 'zod'
import { MapVoiceAgent, PROVIDER_APIS, PROVIDERS, type VoiceAgent } from '../../../schemas/voice-agent.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { listVoiceAgents, MAPPING } from '../../../src/voice-agents/operations.ts'
import { listProviderKeys, refreshVoiceAgents } from '../../../src/voice-agents/providers/operations.ts'
import { type Choices, FieldControls, fieldsOf, typedInput } from '../field-control.tsx'
import { errorAt, type FormState, typed } from '../form-state.ts'
import type { Form as Submitted } from '../forms.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { pathTo, withQuery } from '../settings/address.ts'
import { TableCard } from '../ui/cards.tsx'
import { Select } from '../ui/field.tsx'
import { Button, ConfirmButton, Form, PlainLink, Submit } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { atEnd, hidden } from '../ui/table.tsx'
import { ShortId, Time } from '../ui/values.tsx'
import { answerPart, type CustomerContext } from './customer-page.tsx'
import { customerPath, providerName } from './words.tsx'

type Agent = z.output<typeof VoiceAgent>

/** More than one customer has, and more than anybody looks through to choose. */
const SHOWN_AGENTS = 100
const MAX_PAGES = 10

export const agentsPart: Page<CustomerContext> = {
  show: (context, state) => answerAgents(context, state ?? { values: { ...FREE, ...context.c.req.query() } }),
  forms: {
    map(context, form) {
      const { mapping, agentId } = chosenIn(form)
      return callOperation(context, mapping.map, { agentId, ...typedInput(form, TERMS) }, form)
    },
    unmap(context, form) {
      const { mapping, agentId } = chosenIn(form)
      return callOperation(context, mapping.unmap, { agentId }, form)
    },
    refresh: (context, form) =>
      callOperation(context, refreshVoiceAgents, { provider: form.raw('provider') }, form)
  }
}

/** What the form begins with, where its address doesn't fill it in. */
const FREE = { profitMultiplier: '1' }

const TERMS = fieldsOf(MapVoiceAgent.pick({ profitMultiplier: true, since: true, confirm: true }).shape)

/** The form that maps an agent to the customer or changes its multiplier, filled in. */
export function mappingPath(customerId: string, agent: string, multiplier: number | null, since?: string) {
  const filled = { agent, since, profitMultiplier: multiplier ?? undefined }
  return `${withQuery(customerPath(customerId, 'voice-agents'), filled)}#map`
}

/** `a:asst_1`: an agent as the list of choices says it. */
export const choiceOf = ({ provider, id }: Pick<Agent, 'provider' | 'id'>): string => `${provider}:${id}`

function chosenIn(form: Submitted) {
  const [letter, ...agentId] = form.raw('agent').split(':')
  const provider = PROVIDERS.find((one) => one === letter) ?? 'a'
  return { mapping: MAPPING[provider], agentId: agentId.join(':') }
}

const SHOWN_ID = 6
const optionOf = (agent: Agent): Choices[number] => ({
  value: choiceOf(agent),
  // Two of one name are told apart.
  label: `${agent.name} (${providerName(agent.provider)}, …${agent.id.slice(-SHOWN_ID)})`
})

async function answerAgents(context: CustomerContext, state: FormState): Promise<Response> {
  const { customer } = context
  const at = (act: string) => customerPath(customer.id, 'voice-agents', act)
  const { data: mapped } = await callOperation(context, listVoiceAgents, { limit: SHOWN_AGENTS })
  const free = await agentsOfNobody(context)
  const { data: keys } = await callOperation(context, listProviderKeys)
  const offered = free.map(optionOf)
  const chosen = typed(state, 'agent')
  // Calls of an agent can be assigned whether or not it was read, and whose ever it is now.
  if (chosen !== '' && !offered.some(({ value }) => value === chosen))
    offered.push(
      mapped.map(optionOf).find(({ value }) => value === chosen) ?? { value: chosen, label: chosen }
    )
  const children = (
    <>
      <TableCard
        title="Mapped agents"
        description="Their calls are billed to this customer: the call’s cost times the multiplier."
        caption="Voice agents of this customer"
        columns={['Agent', 'Provider', 'Id', atEnd('Multiplier'), atEnd('Since'), hidden('Actions')]}
        rows={mapped.map((agent) => ({
          cells: [
            <bdi>{agent.name}</bdi>,
            providerName(agent.provider),
            <ShortId id={agent.id} />,
            `× ${agent.profitMultiplier ?? 1}`,
            <Time iso={agent.since} />,
            <Row>
              <PlainLink href={mappingPath(customer.id, choiceOf(agent), agent.profitMultiplier)}>
                Change
              </PlainLink>
              <ConfirmButton
                label="Unmap"
                title={`Unmap ${agent.name}?`}
                text={`Calls that end from now on are no longer billed to ${nameOf(customer)}. The agent itself stays as it is.`}
                action={at('unmap')}
                fields={{ agent: choiceOf(agent) }}
                confirmLabel="Unmap agent"
              />
            </Row>
          ]
        }))}
        empty={{
          title: 'No agent is mapped',
          text: <p>Map one below, and its calls are billed to this customer.</p>
        }}
      />
      <Card
        title="Map an agent"
        sendsTo={at('map')}
        description="Agents of yours that are nobody’s, or one above with another multiplier. What was made at the provider since comes in by a refresh."
        action={
          <Row>
            {keys.map(({ provider, isSet }) =>
              isSet ? (
                <Form action={at('refresh')}>
                  <input type="hidden" name="provider" value={provider} />
                  <Button kind="plain">Refresh from {PROVIDER_APIS[provider].name}</Button>
                </Form>
              ) : null
            )}
          </Row>
        }
      >
        {offered.length > 0 ? (
          <Form id="map" action={at('map')}>
            <Select
              label="Agent"
              name="agent"
              value={chosen}
              options={[{ value: '', label: 'Choose an agent' }, ...offered]}
              error={errorAt(state, 'agentId', 'Agent')}
              required
            />
            <FieldControls of={TERMS} state={state} />
            <Submit>Map agent</Submit>
          </Form>
        ) : (
          <p>
            None is free. Set your <a href={pathTo('providers')}>key at the provider</a>, and refresh.
          </p>
        )}
      </Card>
    </>
  )
  return answerPart(context, { part: 'voice-agents', state, children })
}

/** All of them, or so many pages that nobody looks through more. */
async function agentsOfNobody(context: CustomerContext): Promise<Agent[]> {
  const ofNobody = { customerId: undefined, isMapped: false, limit: SHOWN_AGENTS }
  const free: Agent[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data, pagination } = await callOperation(context, listVoiceAgents, { ...ofNobody, page })
    free.push(...data)
    if (!pagination.hasNextPage) break
  }
  return PROVIDERS.flatMap((provider) => free.filter((agent) => agent.provider === provider))
}
