// Every voice agent of the partner and whose it is.
import type { FC } from 'hono/jsx'
import { z } from 'zod'
import type { VoiceAgentPage } from '../../../schemas/voice-agent.ts'
import { listVoiceAgents } from '../../../src/voice-agents/operations.ts'
import { page } from '../answer.tsx'
import { CONSOLE_BASE, ConsolePage } from '../frames.tsx'
import { callOperation, type PageContext } from '../page-kit.tsx'
import { pagesOf } from '../settings/address.ts'
import { Select } from '../ui/field.tsx'
import { LinkButton } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { FilterBar } from '../ui/search.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Nothing, ShortId } from '../ui/values.tsx'
import { CUSTOMERS, customerPath, VOICE_AGENTS } from './paths.ts'
import { PROVIDER_NAMES, personName } from './words.tsx'

const Query = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  provider: z.enum(['a', 'b']).optional().catch(undefined),
  isMapped: z.enum(['true', 'false']).optional().catch(undefined)
})
type Query = z.output<typeof Query>

export async function showVoiceAgents(context: PageContext): Promise<Response> {
  const query = Query.parse(context.c.req.query())
  const { isMapped, ...input } = query
  const shown = await callOperation(context, listVoiceAgents, {
    ...input,
    ...(isMapped === undefined ? {} : { isMapped: isMapped === 'true' })
  })
  return page(
    context.c,
    <ConsolePage c={context.c} title="Voice agents" current="voice-agents">
      <Filters query={query} />
      <Card>
        <AgentTable agents={shown.data} query={query} />
        <Pager pagination={shown.pagination} hrefOf={pagesOf(VOICE_AGENTS, query)} />
      </Card>
    </ConsolePage>
  )
}

const Filters: FC<{ query: Query }> = ({ query }) => (
  <FilterBar action={VOICE_AGENTS}>
    <Select
      label="Provider"
      name="provider"
      value={query.provider}
      options={[ANY, ...Object.entries(PROVIDER_NAMES).map(([value, label]) => ({ value, label }))]}
    />
    <Select
      label="Mapping"
      name="isMapped"
      value={query.isMapped}
      options={[ANY, { value: 'true', label: 'Mapped' }, { value: 'false', label: 'Mapped to nobody' }]}
    />
  </FilterBar>
)

const ANY = { value: '', label: 'Any' }

const AgentTable: FC<{ agents: z.output<typeof VoiceAgentPage>['data']; query: Query }> = ({
  agents,
  query
}) => (
  <Table
    caption="Voice agents, newest first"
    columns={[
      'Agent',
      'Provider',
      { title: 'Id', narrow: 'hide' },
      'Customer',
      { title: 'Multiplier', align: 'end' }
    ]}
    rows={agents.map(({ id, name, provider, customer, profitMultiplier }) => ({
      key: `${provider}:${id}`,
      cells: [
        name,
        PROVIDER_NAMES[provider],
        <ShortId id={id} />,
        customer ? (
          <a href={customerPath(customer.id, 'voice-agents')}>{personName(customer)}</a>
        ) : (
          <Nothing />
        ),
        profitMultiplier === null ? <Nothing /> : `× ${profitMultiplier}`
      ]
    }))}
    empty={<NoAgents isFiltered={query.page > 1 || (query.provider ?? query.isMapped) !== undefined} />}
  />
)

const NoAgents: FC<{ isFiltered: boolean }> = ({ isFiltered }) =>
  isFiltered ? (
    <EmptyState
      title="No agent matches"
      action={
        <LinkButton kind="plain" href={VOICE_AGENTS}>
          Show all agents
        </LinkButton>
      }
    />
  ) : (
    <EmptyState
      title="No voice agents yet"
      action={<LinkButton href={`${CONSOLE_BASE}/providers`}>Set a provider’s key</LinkButton>}
    >
      <p>
        With your key for a provider, open one of your <a href={CUSTOMERS}>customers</a> and map an agent by
        its id; it is listed here from then on. The operator can also import agents in bulk.
      </p>
    </EmptyState>
  )
