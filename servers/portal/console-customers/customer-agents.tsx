import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { PROVIDERS, type Provider, type VoiceAgent } from '../../../schemas/voice-agent.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { listVoiceAgents, MAPPING } from '../../../src/voice-agents/operations.ts'
import { asked, type FormState, typed } from '../form-state.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { Field, Select } from '../ui/field.tsx'
import { ConfirmButton, Form, Submit } from '../ui/form.tsx'
import { Card, Row } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { ShortId } from '../ui/values.tsx'
import { answerPart, type CustomerContext } from './customer-page.tsx'
import { numberOf } from './detail-values.ts'
import { customerPath, PROVIDER_CHOICES, providerName } from './words.tsx'

type Agent = z.output<typeof VoiceAgent>

/** More than one customer has, and more than anybody looks through to choose. */
const SHOWN_AGENTS = 100

export const agentsPart: Page<CustomerContext> = {
  show: answerAgents,
  forms: {
    map(context, form) {
      const [, chosen, chosenId] = CHOICE.exec(form.raw('agent')) ?? []
      const agentId = chosenId ?? form.text('agentId') ?? ''
      const profitMultiplier = numberOf(form.raw('profitMultiplier').trim() || 'nothing')
      const provider = providerOf(chosen ?? form.raw('provider'))
      return callOperation(context, MAPPING[provider].map, { agentId, profitMultiplier }, form)
    },
    unmap(context, form) {
      const input = { agentId: form.raw('agentId') }
      return callOperation(context, MAPPING[providerOf(form.raw('provider'))].unmap, input, form)
    }
  }
}

const providerOf = (text: string): Provider => PROVIDERS.find((provider) => provider === text) ?? 'a'

/** `a:asst_1`: an agent as the list of choices says it. */
const CHOICE = /^([a-z]):(.+)$/s
const choiceOf = ({ provider, id }: Agent): string => `${provider}:${id}`
const optionOf = (agent: Agent) => ({
  value: choiceOf(agent),
  label: `${agent.name} (${providerName(agent.provider)})`
})

async function answerAgents(context: CustomerContext, state?: FormState): Promise<Response> {
  const { customer } = context
  const at = (act: string) => customerPath(customer.id, 'voice-agents', act)
  const limit = SHOWN_AGENTS
  const { data: mapped } = await callOperation(context, listVoiceAgents, { limit })
  const ofNobody = { customerId: undefined, isMapped: false, limit }
  const { data: free } = await callOperation(context, listVoiceAgents, ofNobody)
  const children = (
    <>
      <Card
        title="Mapped agents"
        description="Their calls are billed to this customer: the call’s cost times the multiplier."
      >
        <Table
          caption="Voice agents of this customer"
          columns={[
            'Agent',
            'Provider',
            'Id',
            { title: 'Multiplier', align: 'end' },
            { title: 'Actions', hidden: true }
          ]}
          rows={mapped.map((agent) => ({
            cells: [
              agent.name,
              providerName(agent.provider),
              <ShortId id={agent.id} />,
              `× ${agent.profitMultiplier ?? 1}`,
              <Row>
                <ConfirmButton
                  kind="plain"
                  label="Change"
                  title={`Change the multiplier of ${agent.name}`}
                  text="It counts for calls that are billed from now on."
                  action={at('map')}
                  fields={{ agent: choiceOf(agent) }}
                  confirmLabel="Save multiplier"
                >
                  <Multiplier before={String(agent.profitMultiplier ?? 1)} />
                </ConfirmButton>
                <ConfirmButton
                  label="Unmap"
                  title={`Unmap ${agent.name}?`}
                  text={`Its calls are no longer billed to ${nameOf(customer)}. The agent itself stays as it is.`}
                  action={at('unmap')}
                  fields={{ provider: agent.provider, agentId: agent.id }}
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
      </Card>
      <MapForm action={at('map')} free={free} state={state} />
    </>
  )
  return answerPart(context, { part: 'voice-agents', state, children })
}

const Multiplier: FC<{ before: string; state?: FormState | undefined }> = ({ before, state }) => (
  <Field
    {...asked(state, 'profitMultiplier', 'Multiplier', before)}
    type="number"
    inputmode="decimal"
    min={0}
    max={1000}
    step="any"
    help="1.5 bills a call that cost 1.00 as 1.50. Above 0, at most 1000."
    required
  />
)

const MapForm: FC<{ action: string; free: readonly Agent[]; state: FormState | undefined }> = ({
  action,
  free,
  state
}) => (
  <Card title="Map an agent">
    <Form action={action}>
      {free.length > 0 ? (
        <Select
          label="Agent"
          name="agent"
          value={typed(state, 'agent')}
          options={[{ value: '', label: 'Another one, by its id below' }, ...free.map(optionOf)]}
          help="Agents that are mapped to nobody."
        />
      ) : null}
      <Select
        label="Provider"
        name="provider"
        value={typed(state, 'provider', 'a')}
        options={PROVIDER_CHOICES}
      />
      <Field
        {...asked(state, 'agentId', 'Agent id')}
        help="As the provider shows it. An agent that isn’t known here is looked up there with your provider key."
        maxlength={100}
        autocomplete="off"
        mono
      />
      <Multiplier state={state} before="1" />
      <Submit>Map agent</Submit>
    </Form>
  </Card>
)
