// New conversations and earlier ones, in a real browser.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchangeOf, type Room } from '../support/chat-route.ts'
import { faultsOf, PHONE } from './support/axe.ts'
import { openWidgetFixture, photograph, type WidgetFixture } from './support/widget.ts'

let fixture: WidgetFixture
beforeAll(async () => {
  fixture = await openWidgetFixture()
})
afterAll(() => fixture.close())

const said = (key: string, message: string, hour: number) => {
  const at = new Date(Date.UTC(2026, 0, 10, hour)).toISOString()
  return exchangeOf({ key, message, reply: `About that: ${message}`, createdAt: at, answeredAt: at })
}
const LONG =
  'Write to every supplier about the new address, and tell me which of them have answered by Friday.'
const arrange = (room: Room) => {
  room.exchanges.push(said('now', 'Who is on duty?', 12))
  const failed = exchangeOf({ key: 'f', message: 'And Sunday?', state: 'failed', code: 'agent_error' })
  room.former.push(
    { id: 'cnv_1', exchanges: [said('a', 'Plan Friday, please', 9), failed] },
    { id: 'cnv_0', exchanges: [said('b', LONG, 8)] }
  )
}

describe('a new conversation', () => {
  it('is empty, takes what is said next, and is noticed in another tab', () =>
    fixture.on({ arrange }, async ({ page, room, say, log, box, button, status, tab, complaints }) => {
      await log.getByText('Who is on duty?', { exact: true }).waitFor()
      const other = await tab()
      await other.log.getByText('Who is on duty?', { exact: true }).waitFor()
      await button('New conversation').click()
      await log.getByText('Start a conversation with Ada').waitFor()
      await expect.poll(() => status.textContent()).toContain('A new conversation has begun')
      expect(await box.evaluate((element) => element.matches(':focus'))).toBe(true)
      await other.log.getByText('Start a conversation with Ada').waitFor()
      await say('Good morning')
      await log.getByText('You said: Good morning').waitFor()
      await other.log.getByText('You said: Good morning').waitFor()
      expect(room.former[0]?.exchanges.map(({ message }) => message)).toEqual(['Who is on duty?'])
      expect(room.exchanges).toHaveLength(1)
      await page.reload()
      await log.getByText('You said: Good morning').waitFor()
      expect(await log.getByText('Who is on duty?').count()).toBe(0)
      expect(complaints()).toEqual([])
    }))

  it('is left alone by the reply to what was asked before', () =>
    fixture.on({}, async ({ page, room, say, log, button }) => {
      let answer = () => {}
      room.answer = () =>
        new Promise((resolve) => {
          answer = () => resolve({ reply: 'At last.' })
        })
      await say('Take your time')
      await button('Stop').waitFor()
      await button('New conversation').click()
      await log.getByText('Start a conversation with Ada').waitFor()
      answer()
      await button('Earlier conversations').click()
      await page.getByRole('button', { name: /^Take your time/ }).click()
      await log.getByText('At last.').waitFor()
      await button('Back to the current conversation').click()
      await log.getByText('Start a conversation with Ada').waitFor()
    }))
})

describe('earlier conversations', () => {
  it('are listed and read by the keyboard alone, and lead back', () =>
    fixture.on({ arrange }, async ({ page, log, box, button, complaints }) => {
      await log.getByText('Who is on duty?', { exact: true }).waitFor()
      await box.fill('not sent yet')
      await button('Earlier conversations').focus()
      await page.keyboard.press('Enter')
      const list = page.getByRole('navigation', { name: 'Earlier conversations' })
      await expect.poll(() => list.getByRole('button').count()).toBe(2)
      expect(await box.count()).toBe(0)
      expect(await button('Earlier conversations').getAttribute('aria-expanded')).toBe('true')
      await photograph(page, 'earlier-conversations')
      expect(await faultsOf(page)).toEqual([])
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await log.getByText('About that: Plan Friday, please').waitFor()
      await expect.poll(() => log.evaluate((element) => element.matches(':focus'))).toBe(true)
      expect(await box.count()).toBe(0)
      // To what is over nothing can be sent again.
      await log.getByText('Ada couldn’t answer').waitFor()
      expect(await button('Try again').count()).toBe(0)
      await photograph(page, 'earlier-conversation')
      expect(await faultsOf(page)).toEqual([])
      await page.keyboard.press('Escape')
      await log.getByText('Who is on duty?', { exact: true }).waitFor()
      await expect.poll(() => box.evaluate((element) => element.matches(':focus'))).toBe(true)
      expect(await box.inputValue()).toBe('not sent yet')
      await photograph(page, 'with-earlier-conversations')
      expect(complaints()).toEqual([])
    }))

  it('that are gone meanwhile say so', () =>
    fixture.on({ arrange }, async ({ page, room, notice, button }) => {
      await button('Earlier conversations').click()
      const list = page.getByRole('navigation', { name: 'Earlier conversations' })
      await expect.poll(() => list.getByRole('button').count()).toBe(2)
      room.former.pop()
      room.former.push({ id: 'cnv_other', exchanges: [] })
      await list.getByRole('button').last().click()
      await notice.getByText('This conversation is no longer kept').waitFor()
      await button('Back to the current conversation').click()
      await notice.waitFor({ state: 'hidden' })
    }))

  it('are none at first, and fit a phone', () =>
    fixture.on({ browser: { viewport: PHONE, isMobile: true, hasTouch: true } }, async ({ page, button }) => {
      await button('Earlier conversations').tap()
      await page.getByText('There are none yet.').waitFor()
      for (const name of ['Earlier conversations', 'New conversation']) {
        const { height = 0 } = (await button(name).boundingBox()) ?? {}
        expect(height).toBeGreaterThanOrEqual(44)
      }
      await button('New conversation').tap()
      await page.getByText('Start a conversation with Ada').waitFor()
    }))
})
