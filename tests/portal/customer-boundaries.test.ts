// Who may what in a portal: members only read and ask, nobody reaches another customer's records, and a page that the
// menu hasn't got isn't there.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { makePartner, run, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { type Browser, makePortalCustomer, makeTeamMate, textOf } from './customer-visitors.ts'

/** A customer with something of everything that an address can name. */
interface Household {
  customerId: string
  owner: Browser
  mindId: string
  memoryId: string
  teamMemberId: string
  tokenId: string
  token: string
}

describe.each(databases)('a portal’s boundaries on %s', (kind) => {
  let server: TestServer
  let mine: Household

  beforeAll(async () => {
    server = await startTestServer(kind)
    mine = await makeHousehold(server.partner)
  })
  afterAll(() => server.close())

  async function makeHousehold(partner: TestPartner): Promise<Household> {
    const { customerId, owner } = await makePortalCustomer(server, partner)
    const as = (name: string, input: object) =>
      run(server.service, partner.partnerId, name, { customerId, ...input })
    const remembered = await as('memory_remember', { content: 'Ada: the launch code is 47-11.' })
    const member = await as('team_member_add', { email: uniqueEmail(), name: 'Ida' })
    const minted = await as('customer_token_mint', { name: 'assistant' })
    return {
      customerId,
      owner,
      mindId: stringAt(remembered, 'mindId'),
      memoryId: stringAt(remembered, 'memoryId'),
      teamMemberId: stringAt(member, 'data', 'id'),
      tokenId: stringAt(minted, 'tokenId'),
      token: stringAt(minted, 'token')
    }
  }

  const rows = () => everyRow(server.service)

  describe.each(['of the same partner', 'of another partner'])('another customer’s records, %s,', (whose) => {
    let theirs: Household

    beforeAll(async () => {
      const isSame = whose === 'of the same partner'
      theirs = await makeHousehold(isSame ? server.partner : await makePartner(server.service))
    })

    const requests: [string, (ids: Household) => [method: 'get' | 'post', path: string, fields?: object]][] =
      [
        ['a Mind', ({ mindId }) => ['get', `/memory/minds/${mindId}`]],
        ['a Mind to ask', ({ mindId }) => ['get', `/memory/ask?mind=${mindId}`]],
        [
          'a question to a Mind',
          ({ mindId }) => [
            'post',
            '/memory/ask/answer',
            { question: 'What is the launch code?', mind: mindId }
          ]
        ],
        [
          'a memory for a Mind',
          ({ mindId }) => ['post', `/memory/minds/${mindId}/remember`, { content: 'x' }]
        ],
        ['all memories', ({ mindId }) => ['get', `/memory/minds/${mindId}/memories?query=tea`]],
        ['an export', ({ mindId }) => ['get', `/memory/minds/${mindId}/export`]],
        ['forgetting a Mind', ({ mindId }) => ['post', `/memory/minds/${mindId}/forget`]],
        [
          'forgetting a memory',
          ({ mindId, memoryId }) => ['post', `/memory/minds/${mindId}/memories/${memoryId}/forget`]
        ],
        [
          'forgetting a memory as one of an own Mind',
          ({ memoryId }) => ['post', `/memory/minds/${mine.mindId}/memories/${memoryId}/forget`]
        ],
        ['removing a team member', ({ teamMemberId }) => ['post', `/team/members/${teamMemberId}/remove`]],
        ['revoking a token', ({ tokenId }) => ['post', `/agents/tokens/${tokenId}/revoke`]]
      ]

    it.each(requests)('are not there for %s, and nothing changes', async (_, requestFor) => {
      const send = async (ids: Household) => {
        const [method, path, fields] = requestFor(ids)
        const { status, html } =
          method === 'get' ? await mine.owner.get(path) : await mine.owner.post(path, { ...fields })
        return [status, textOf(html).replace(/req_\w+/, '')]
      }
      const nobodys = {
        ...theirs,
        mindId: 'mnd_none',
        memoryId: 'mem_none',
        teamMemberId: 'tm_none',
        tokenId: 'tok_none'
      }
      const before = await rows()
      const foreign = await send(theirs)
      expect(foreign[0]).toBe(404)
      expect(foreign[1]).not.toContain('47-11')
      expect(foreign).toEqual(await send(nobodys))
      expect(await rows()).toEqual(before)
    })
  })

  it('another partner’s portal takes nobody’s session', async () => {
    const elsewhere = await makePartner(server.service)
    const { status, headers } = await mine.owner.get(`/portal/${elsewhere.slug}/memory`)
    expect([status, headers.get('location')]).toEqual([
      303,
      expect.stringMatching(`^/portal/${elsewhere.slug}/sign-in`)
    ])
  })

  describe('a member', () => {
    let member: Browser

    beforeAll(async () => {
      member = (await makeTeamMate(server, server.partner, mine.customerId, 'member')).browser
    })

    it('reads and asks', async () => {
      const page = await member.get(`/memory/minds/${mine.mindId}`)
      expect(page.status).toBe(200)
      expect(textOf(page.html)).toContain('the launch code is 47-11')
      const answer = await member.post('/memory/ask/answer', { question: 'What is the launch code?' })
      expect(answer.status).toBe(200)
      expect(textOf(answer.html)).toContain('47-11')
      expect((await member.get('/memory/minds')).status).toBe(200)
      const found = await member.get(`/memory/minds/${mine.mindId}/memories?query=launch`)
      expect(textOf(found.html)).toContain('the launch code is 47-11')
    })

    it('is offered nothing that changes anything', async () => {
      const minds = `/memory/minds/${mine.mindId}`
      for (const path of ['', '/memory', minds, `${minds}/memories`, '/memory/minds', '/memory/ask']) {
        const { html } = await member.get(path)
        const actions = [...html.matchAll(/<form[^>]*action="([^"]*)"/g)].map(([, action = '']) => action)
        const changing = actions.filter(
          (action) => !/\/(sign-out|memory\/ask\/answer|memories)$/.test(action)
        )
        expect([path, changing]).toEqual([path, []])
        expect(html).not.toContain('/export')
      }
    })

    it.each(['/team', '/agents', '/agents/setup'])('has no page %s', async (path) => {
      expect((await member.get(path)).status).toBe(404)
      expect((await member.get('')).html).not.toContain(`${path}"`)
    })

    it.each<[string, () => string, Record<string, string>]>([
      ['remember', () => `/memory/minds/${mine.mindId}/remember`, { content: 'x' }],
      ['remember in the primary Mind', () => '/memory/remember', { content: 'x' }],
      ['create a Mind', () => '/memory/minds/create', { name: 'x' }],
      ['forget a memory', () => `/memory/minds/${mine.mindId}/memories/${mine.memoryId}/forget`, {}],
      ['forget a Mind', () => `/memory/minds/${mine.mindId}/forget`, {}],
      ['undo a forgetting', () => `/memory/minds/${mine.mindId}/undo`, { undo: 'x' }],
      ['invite', () => '/team/invite', { name: 'x', email: 'x@example.com', role: 'admin' }],
      ['remove a team member', () => `/team/members/${mine.teamMemberId}/remove`, {}],
      ['make a token', () => '/agents/mint', { name: 'x' }],
      ['revoke a token', () => `/agents/tokens/${mine.tokenId}/revoke`, {}],
      ['test a connection', () => '/agents/test', { token: 'x' }]
    ])('can’t %s', async (_, path, fields) => {
      const before = await rows()
      const { status } = await member.post(path(), fields)
      expect(status).toBe(403)
      expect(await rows()).toEqual(before)
    })

    it('can’t export', async () => {
      const { status, html } = await member.get(`/memory/minds/${mine.mindId}/export`)
      expect(status).toBe(403)
      expect(html).not.toContain('47-11')
    })
  })

  describe('what is switched off', () => {
    let household: Household

    beforeEach(async () => {
      household = await makeHousehold(server.partner)
    })

    it.each<[Record<string, boolean>, string, string[]]>([
      [{ showKnowledgeBase: false }, 'memory', ['/memory', '/memory/ask', '/memory/minds']],
      [{ enableAiMemory: false }, 'memory', ['/memory', '/memory/ask', '/memory/minds']],
      [{ enableTeamMembers: false }, 'team', ['/team']],
      [{ showIntegration: false }, 'agents', ['/agents', '/agents/setup']]
    ])('by %o is neither in the menu nor there', async (changes, segment, paths) => {
      const { customerId, owner } = household
      expect((await owner.get('')).html).toContain(`/${segment}"`)
      await run(server.service, server.partner.partnerId, 'customer_update', { customerId, ...changes })
      expect((await owner.get('')).html).not.toContain(`/${segment}"`)
      for (const path of paths) expect([path, (await owner.get(path)).status]).toEqual([path, 404])
    })

    it('takes no forms either, and nothing changes', async () => {
      const { customerId, owner, mindId, memoryId, teamMemberId, tokenId } = household
      const off = {
        showKnowledgeBase: false,
        enableTeamMembers: false,
        showIntegration: false
      }
      await run(server.service, server.partner.partnerId, 'customer_update', { customerId, ...off })
      const before = await rows()
      for (const [path, fields] of [
        ['/memory/remember', { content: 'x' }],
        ['/memory/ask/answer', { question: 'x' }],
        [`/memory/minds/${mindId}/memories/${memoryId}/forget`, {}],
        [`/memory/minds/${mindId}/forget`, {}],
        [`/memory/minds/${mindId}/undo`, { undo: 'x' }],
        ['/team/invite', { name: 'x', email: 'x@example.com' }],
        [`/team/members/${teamMemberId}/remove`, {}],
        ['/agents/mint', { name: 'x' }],
        [`/agents/tokens/${tokenId}/revoke`, {}]
      ] as const) {
        expect([path, (await owner.post(path, { ...fields })).status]).toEqual([path, 404])
      }
      expect(await rows()).toEqual(before)
    })
  })
})
