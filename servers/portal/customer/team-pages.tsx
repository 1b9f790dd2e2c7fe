// The customer's team: who is in it, inviting and removing.
import { type Context, Hono } from 'hono'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { TeamMemberList, TeamMemberResult } from '../../../schemas/team-member.ts'
import { ServiceError } from '../../../src/errors.ts'
import type { Service } from '../../../src/service.ts'
import { addTeamMember, listTeamMembersOperation, removeTeamMember } from '../../../src/team/operations.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { flash } from '../flash.ts'
import { readForm } from '../forms.ts'
import { perform } from '../perform.ts'
import { readOwnCustomer } from './own-customer.ts'
import { tried } from './refused.ts'
import { isSame, type TeamMember, TeamPage } from './team-page.tsx'

export function teamPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const back = (c: Context<PageEnv>) => c.redirect(`${c.get('site').base}/team`, 303)

  async function show(
    c: Context<PageEnv>,
    refused?: Pick<Parameters<typeof TeamPage>[0], 'values' | 'refusal'>
  ): Promise<Response> {
    const members = await readTeam(service, c)
    const { email, maxTeamMembers } = await readOwnCustomer(service, c)
    const shown = { c, members, ownerEmail: email, maxTeamMembers, ...refused }
    return page(c, <TeamPage {...shown} />, refused?.refusal?.status ?? 200)
  }

  app.get('/', (c) => show(c))
  app.post('/invite', async (c) => {
    const form = await readForm(c)
    const { caller, customerId } = c.get('visitor')
    const { answer, refusal } = await tried(c, INVITE_LABELS, () =>
      perform(service, c, addTeamMember, {
        caller,
        input: {
          customerId,
          name: form.text('name'),
          email: form.text('email'),
          role: form.text('role') === 'admin' ? 'admin' : 'member'
        },
        output: TeamMemberResult,
        idempotencyKey: form.raw('idempotencyKey') || undefined
      })
    )
    if (refusal) return show(c, { values: form.values, refusal })
    flash(c, service, { kind: 'good', text: `The invite to ${answer.data.email} is on its way.` })
    return back(c)
  })
  app.post('/members/:teamMemberId/remove', async (c) => {
    const { caller, customerId, email } = c.get('visitor')
    const teamMemberId = c.req.param('teamMemberId')
    const member = (await readTeam(service, c)).find(({ id }) => id === teamMemberId)
    if (member && isSame(member, email)) {
      throw new ServiceError(
        'missing_scope',
        'You can’t remove yourself. Ask the account’s owner or another admin.'
      )
    }
    await perform(service, c, removeTeamMember, {
      caller,
      input: { customerId, teamMemberId },
      output: Acknowledgement
    })
    const name = member?.name ?? 'The member'
    flash(c, service, { kind: 'good', text: `${name} was removed and signed out everywhere.` })
    return back(c)
  })
  return app
}

export async function readTeam(service: Service, c: Context<PageEnv>): Promise<TeamMember[]> {
  const { caller, customerId } = c.get('visitor')
  const { data } = await perform(service, c, listTeamMembersOperation, {
    caller,
    input: { customerId },
    output: TeamMemberList
  })
  return data
}

const INVITE_LABELS = { name: 'The name', email: 'The e-mail address', role: 'The role' }
