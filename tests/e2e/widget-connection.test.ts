// A connection that breaks under a message, and what becomes of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Outcome } from '../support/chat-route.ts'
import { openWidgetFixture, photograph, type WidgetFixture } from './support/widget.ts'

const MESSAGE = 'Book the X-ray room for Thursday, 10:00.'

let fixture: WidgetFixture
beforeAll(async () => {
  fixture = await openWidgetFixture()
})
afterAll(() => fixture.close())

describe('a connection that breaks', () => {
  it('while the agent works brings the reply all the same, and the message runs once', () =>
    fixture.on({}, async ({ page, room, say, log }) => {
      room.answer = () => 'lost'
      await say(MESSAGE)
      await log.getByText('Looking whether your message arrived').waitFor()
      await photograph(page, 'connection lost')
      const [row] = room.exchanges
      if (row)
        Object.assign(row, { state: 'answered', reply: 'Booked.', answeredAt: new Date().toISOString() })
      await log.getByText('Booked.').waitFor()
      expect(room.posts).toHaveLength(1)
    }))

  it('before the message arrived gives it back', () =>
    fixture.on({}, async ({ page, notice, room, box, say, log }) => {
      room.answer = () => {
        room.exchanges.length = 0
        return 'lost'
      }
      await say(MESSAGE)
      await notice.getByText('Your message didn’t get through').waitFor()
      expect(await box.inputValue()).toBe(MESSAGE)
      await photograph(page, 'not sent')
      room.answer = (): Outcome => ({ reply: 'Booked.' })
      await box.press('Enter')
      await log.getByText('Booked.').waitFor()
    }))

  it('is said while it lasts, and over when it is over', () =>
    fixture.on({}, async ({ page, notice, box, room, say, button, log }) => {
      await page.context().setOffline(true)
      await notice.getByText('You are offline').waitFor()
      await say(MESSAGE)
      expect(await box.inputValue()).toBe(MESSAGE)
      expect(await button('Send message').getAttribute('aria-disabled')).toBe('true')
      await photograph(page, 'offline')
      await page.context().setOffline(false)
      await notice.getByText('You are offline').waitFor({ state: 'hidden' })
      await box.press('Enter')
      await log.getByText(`You said: ${MESSAGE}`).waitFor()
      expect(room.posts).toHaveLength(1)
    }))
})
