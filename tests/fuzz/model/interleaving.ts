// Two partners with the same e-mails, the same agents and the same Idempotency-Keys work at the same time, each against
// a model of its own fixture. Whatever one does, the other's fixture must stay what its model says.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../schemas/voice-agent.ts'
import { importVoiceAgents } from '../../../src/voice-agents/import.ts'
import type { DatabaseKind } from '../../support/databases.ts'
import { makePartner, makePlan, type TestPartner } from '../../support/fixture.ts'
import { startTestServer, type TestServer } from '../../support/http.ts'
import { runs, timeoutMs } from '../plan.ts'
import { accessCommands } from './access-steps.ts'
import type { OperationCall, Outcome } from './channels.ts'
import { callOperation } from './channels.ts'
import { type Plans, type Real, repeats } from './command.ts'
import { customerCommands } from './customer-steps.ts'
import { AGENT_IDS, emptyModel, type PartnerModel, PLAN_FEATURES } from './partner-model.ts'
import { expectRecords } from './records-check.ts'

const MAX_COMMANDS = 80

/** What must have happened at least once, or the run has tested less than it says. */
const EXPECTED = [
  'customer_onboard',
  'customer_create',
  'customer_get',
  'customer_update',
  'customer_list',
  'customer_enable_portal_access',
  'customer_toggle_portal_block',
  'customer_send_password_reset',
  'team_member_add',
  'team_member_list',
  'team_member_remove',
  'voice_a_agent_map_customer',
  'voice_b_agent_map_customer',
  'voice_a_agent_unmap_customer',
  'voice_b_agent_unmap_customer',
  'replay',
  'a stranger’s customer',
  'idempotency_conflict',
  'email_exists',
  'plan_not_found',
  'customer_not_found',
  'agent_not_found',
  'agent_mapped_elsewhere',
  'portal_access_missing',
  'team_limit_reached',
  'team_disabled',
  'team_member_not_found'
]

interface Side {
  partner: TestPartner
  plans: Plans
  model: PartnerModel
}

export const describePartners = (kind: DatabaseKind, games: number) =>
  describe(`two partners at once on ${kind}`, { timeout: timeoutMs(games) }, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startTestServer(kind, { RATE_LIMIT: '0' })
    })
    afterAll(() => server.close())

    const newSide = async (): Promise<Side> => {
      const { service } = server
      const partner = await makePartner(service)
      const { partnerId } = partner
      for (const provider of PROVIDERS) {
        const agents = AGENT_IDS.map((id) => ({ id, name: `Agent ${id}` }))
        await importVoiceAgents(service.database, { partnerId, provider }, agents, () => undefined)
      }
      const plans = {
        subscription: await makePlan(service, partnerId, 'subscription', PLAN_FEATURES),
        credit: await makePlan(service, partnerId, 'credit')
      }
      return { partner, plans, model: emptyModel() }
    }

    it('each see their own world and nothing else', async () => {
      const happened = new Set<string>()
      const commands = () =>
        fc.commands([...customerCommands, ...accessCommands, repeats], {
          maxCommands: MAX_COMMANDS,
          size: 'max'
        })
      const property = fc.asyncProperty(
        fc.scheduler(),
        commands(),
        commands(),
        async (scheduler, mine, yours) => {
          const sides = [await newSide(), await newSide()] as const
          const realOf = ({ partner, plans }: Side, rival: Side): Real => {
            // Both have a call under way at any time; the scheduler decides whose answer comes first.
            const scheduled = scheduler.scheduleFunction((asked: OperationCall) =>
              callOperation(server, partner.key, asked).then(
                (outcome) => () => outcome,
                (error: unknown) => () => {
                  throw error
                }
              )
            )
            const call = async (asked: OperationCall): Promise<Outcome> => (await scheduled(asked))()
            return { plans, rival, note: (what) => happened.add(what), call }
          }
          const play = (side: Side, rival: Side, sequence: typeof mine) =>
            fc.asyncModelRun(() => ({ model: side.model, real: realOf(side, rival) }), sequence)
          const played = await scheduler.waitFor(
            Promise.allSettled([play(sides[0], sides[1], mine), play(sides[1], sides[0], yours)])
          )
          for (const side of played) if (side.status === 'rejected') throw side.reason
          for (const { partner, model } of sides) await expectRecords(server, partner, model)
        }
      )
      await fc.assert(property, runs(games))
      expect(
        EXPECTED.filter((what) => !happened.has(what)),
        'what never happened'
      ).toEqual([])
    })
  })
