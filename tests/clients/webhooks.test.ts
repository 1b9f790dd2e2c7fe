// A webhook is believed when it is signed with the endpoint's secret, in the last minutes.
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MindgateError, verifyWebhook } from '../../clients/typescript/src/index.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`
const BODY = JSON.stringify({
  type: 'customer.created',
  timestamp: '2026-11-28T04:00:00Z',
  data: { id: 'cus_1' }
})
const MINUTE_MS = 60_000

describe('verifying a webhook', () => {
  // As the specification has it, and not by the library that verifies.
  const signed = (body = BODY, { secret = SECRET, agoMs = 0 } = {}) => {
    const at = String(Math.floor((Date.now() - agoMs) / 1_000))
    const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    return {
      'webhook-id': 'msg_1',
      'webhook-timestamp': at,
      'webhook-signature': `v1,${hmac.update(`msg_1.${at}.${body}`).digest('base64')}`
    }
  }
  const refusal = (headers: Record<string, string>, body = BODY): unknown => {
    try {
      return verifyWebhook(SECRET, headers, body)
    } catch (error) {
      return error
    }
  }
  const refused = { name: 'MindgateError', code: 'webhook_not_verified' }

  it('answers the event, whatever the headers and the body come as', () => {
    const event = JSON.parse(BODY)
    expect(verifyWebhook(SECRET, signed(), BODY)).toEqual(event)
    expect(verifyWebhook(SECRET, new Headers(signed()), Buffer.from(BODY))).toEqual(event)
    expect(verifyWebhook(SECRET, { ...signed(), accept: ['*/*'], host: undefined }, BODY)).toEqual(event)
  })

  it('takes one signature of several, as while a secret is rotated', () => {
    const headers = signed()
    headers['webhook-signature'] = `v1,bm9wZQ== ${headers['webhook-signature']}`
    expect(verifyWebhook(SECRET, headers, BODY).type).toBe('customer.created')
  })

  it('refuses what is old, and what is from the future', () => {
    expect(refusal(signed(BODY, { agoMs: 6 * MINUTE_MS }))).toMatchObject(refused)
    expect(refusal(signed(BODY, { agoMs: -6 * MINUTE_MS }))).toMatchObject(refused)
  })

  it('refuses what is forged: another secret, another body, another time, no signature', () => {
    const secret = `whsec_${Buffer.from('another secret of some thirty chars').toString('base64')}`
    const late = String(Math.floor(Date.now() / 1_000) + 30)
    for (const error of [
      refusal(signed(BODY, { secret })),
      refusal(signed(), BODY.replace('cus_1', 'cus_2')),
      refusal({ ...signed(), 'webhook-timestamp': late }),
      refusal({ ...signed(), 'webhook-signature': 'v1,' }),
      refusal({})
    ]) {
      expect(error).toMatchObject(refused)
    }
  })

  it('never tells the secret', () => {
    const broken = `whsec_${'*'.repeat(44)}`
    const verify = () => verifyWebhook(broken, signed(), BODY)
    expect(verify).toThrow(MindgateError)
    expect(verify).not.toThrow(broken)
  })
})
