import { z } from 'zod'
import { PROVIDERS } from '../../../schemas/voice-agent.ts'
import { listVoiceAgents } from '../../../src/voice-agents/operations.ts'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { PageNumber, pagesOf, pathTo } from '../settings/address.ts'
import { LinkButton, PlainLink } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { choicesOf, FilterBar } from '../ui/search.tsx'
import { atEnd, ifWide, Pager, Table } from '../ui/table.tsx'
import { Nothing, ShortId } from '../ui/values.tsx'
import {
  CUSTOMERS,
  customerPath,
  flagOf,
  PROVIDER_CHOICES,
  personOrEmail,
  providerName,
  VOICE_AGENTS
} from './words.tsx'

const Query = z.object({
  page: PageNumber,
  provider: z.enum(PROVIDERS).optional().catch(undefined),
  isMapped: z.enum(['true', 'false']).optional().catch(undefined)
})

export async function showVoiceAgents(context: PageContext): Promise<Response> {
  const query = Query.parse(context.c.req.query())
  const { page, provider, isMapped } = query
  const input = { page, provider, isMapped: flagOf(isMapped) }
  const { data, pagination } = await callOperation(context, listVoiceAgents, input)
  return showPage(
    context,
    { title: 'Voice agents', current: 'voice-agents' },
    <>
      <FilterBar
        action={VOICE_AGENTS}
        filters={[
          { label: 'Provider', name: 'provider', value: provider, options: PROVIDER_CHOICES },
          { label: 'Mapping', name: 'isMapped', value: isMapped, options: MAPPINGS }
        ]}
      />
      <Card>
        <Table
          caption="Voice agents, newest first"
          columns={['Agent', 'Provider', ifWide({ title: 'Id' }), 'Customer', atEnd('Multiplier')]}
          rows={data.map((agent) => ({
            cells: [
              <bdi>{agent.name}</bdi>,
              providerName(agent.provider),
              <ShortId id={agent.id} />,
              agent.customer ? (
                <a href={customerPath(agent.customer.id, 'voice-agents')}>{personOrEmail(agent.customer)}</a>
              ) : (
                <Nothing />
              ),
              agent.profitMultiplier === null ? <Nothing /> : `× ${agent.profitMultiplier}`
            ]
          }))}
          empty={page > 1 || (provider ?? isMapped) !== undefined ? NONE_MATCHES : NONE_YET}
        />
        <Pager pagination={pagination} hrefOf={pagesOf(VOICE_AGENTS, query)} />
      </Card>
    </>
  )
}

const MAPPINGS = choicesOf({ true: 'Mapped', false: 'Mapped to nobody' })

const NONE_MATCHES = {
  title: 'No agent matches',
  action: <PlainLink href={VOICE_AGENTS}>Show all agents</PlainLink>
}

const NONE_YET = {
  title: 'No voice agents yet',
  text: (
    <p>
      With your key for a provider, open one of your <a href={CUSTOMERS}>customers</a> and refresh its agents.
      The operator can also import agents in bulk.
    </p>
  ),
  action: <LinkButton href={pathTo('providers')}>Set a provider’s key</LinkButton>
}
