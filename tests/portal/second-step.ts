// People who sign in at either site of a running server, and their second factors.
import { generate } from 'otplib'
import { expect } from 'vitest'
import { makePartner, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { CONSOLE_PASSWORD, makeColleague } from './console-visitor.ts'
import { onboardOwner, PASSWORD, type SiteClient, siteClient } from './site-client.ts'

export interface Somebody {
  base: string
  email: string
  password: string
  partner: TestPartner
}

export const recoveryIn = (text: string): string[] =>
  [...text.matchAll(/\b[2-9a-z]{4}(?:-[2-9a-z]{4}){3}\b/g)].map(([code]) => code)

/** What they do there; the server is asked for once it runs. */
export function people(server: () => TestServer) {
  const service = () => server().service
  const url = () => server().url
  const sites = {
    async portal(): Promise<Somebody> {
      const partner = await makePartner(service())
      const { email } = await onboardOwner(service(), partner, uniqueEmail())
      return { base: `/portal/${partner.slug}`, email, password: PASSWORD, partner }
    },
    async console(): Promise<Somebody> {
      const partner = await makePartner(service())
      const { email } = await makeColleague(service(), partner.partnerId, 'admin')
      return { base: '/console', email, password: CONSOLE_PASSWORD, partner }
    }
  }
  const signIn = async ({ base, email, password }: Somebody): Promise<SiteClient> => {
    const client = siteClient(url())
    const answer = await client.post(`${base}/sign-in`, { form: { email, password } })
    expect(answer.status).toBe(303)
    return client
  }
  const isIn = async (client: SiteClient, { base }: Somebody) =>
    (await client.get(`${base}/account`)).status === 200
  /** The code that an app shows so many steps from now: the next one holds for a while, whatever the moment. */
  const codeOf = (secret: string, steps = 1) =>
    generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
  const codesAround = (secret: string) => Promise.all([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)))
  /** Codes that it shows at no time around now. */
  const wrongCodes = async (secret: string, count: number) => {
    const right = await codesAround(secret)
    const all = Array.from({ length: count + right.length }, (_, code) => String(code).padStart(6, '0'))
    return all.filter((code) => !right.includes(code)).slice(0, count)
  }
  const shown = (text: string) => ({
    secret: /<code>([A-Z2-7]{32})<\/code>/.exec(text)?.[1] ?? '',
    sealed: /name="sealed" value="([^"]+)"/.exec(text)?.[1] ?? ''
  })
  /** Adds an app by the code that it shows now. */
  async function enrol(client: SiteClient, { base, password }: Somebody, page = '/account/factor') {
    const { secret, sealed } = shown((await client.get(base + page)).text)
    const form = { sealed, code: await codeOf(secret, 0), current: password }
    const added = await client.post(`${base}${page}/add`, { form })
    return { secret, sealed, added, codes: [...new Set(recoveryIn(added.text))] }
  }
  const give = (client: SiteClient, { base }: Somebody, code: string) =>
    client.post(`${base}/factor`, { form: { code } })
  const actsOf = async ({ partner }: Somebody) =>
    (
      await service()
        .database.read.selectFrom('audit')
        .where('partnerId', '=', partner.partnerId)
        .where('action', 'like', '%factor%')
        .orderBy('createdAt')
        .orderBy('id')
        .select('action')
        .execute()
    ).map(({ action }) => action)

  return { sites, signIn, isIn, codeOf, codesAround, wrongCodes, shown, enrol, give, actsOf }
}
