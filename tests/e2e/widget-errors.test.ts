// Every row of §7's table for the chat route, and what else can come between, as a reader meets it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Refusal } from '../support/chat-route.ts'
import { faultsOf } from './support/axe.ts'
import { openWidgetFixture, photograph, type WidgetFixture } from './support/widget.ts'

const MESSAGE = 'Book the X-ray room for Thursday, 10:00.'

interface Row {
  name: string
  outcome: Refusal
  title: string
  /** Of the sentence below it. */
  text: RegExp
  buttons: string[]
}

/** Of those that offer the same, the first is looked at for all. */
const isFirstOfItsKind = (rows: readonly Row[], name: string): boolean => {
  const kindOf = ({ buttons }: Row) => buttons.join()
  const row = rows.find((one) => one.name === name)
  return row !== undefined && rows.find((one) => kindOf(one) === kindOf(row)) === row
}

/** The message is in the log, with what became of it. */
const ASKED: Row[] = [
  {
    name: '502 agent_error',
    outcome: { status: 502, code: 'agent_error' },
    title: 'Ada couldn’t answer',
    text: /ran into an error or had nothing to say/,
    buttons: ['Try again', 'Edit message']
  },
  {
    name: '502 agent_error, model_away',
    outcome: { status: 502, code: 'agent_error', reason: 'model_away' },
    title: 'Ada’s language model doesn’t answer',
    text: /Try again in a few minutes/,
    buttons: ['Try again', 'Edit message']
  },
  {
    name: '503 ssh_unavailable',
    outcome: { status: 503, code: 'ssh_unavailable', hasStarted: false },
    title: 'Ada’s server can’t be reached',
    text: /Nothing was done with your message/,
    buttons: ['Try again', 'Edit message']
  },
  {
    name: '503 ssh_unavailable, begun',
    outcome: { status: 503, code: 'ssh_unavailable', hasStarted: true },
    title: 'The connection to Ada’s server broke',
    text: /may still have been done/,
    buttons: ['Edit message']
  },
  {
    name: '504 agent_timeout',
    outcome: { status: 504, code: 'agent_timeout', hasStarted: true },
    title: 'Ada took too long',
    text: /the work may still have been done/,
    buttons: ['Edit message']
  },
  {
    name: '504 agent_timeout, not begun',
    outcome: { status: 504, code: 'agent_timeout', hasStarted: false },
    title: 'Ada was busy with something else',
    text: /nothing happens twice when you try again/,
    buttons: ['Try again', 'Edit message']
  }
]

/** The message is back in the box. */
const NOT_TAKEN: Row[] = [
  {
    name: '401 unauthorized',
    outcome: { status: 401, code: 'unauthorized' },
    title: 'You are signed out',
    text: /What you wrote is kept/,
    buttons: []
  },
  {
    name: '403 forbidden',
    outcome: { status: 403, code: 'forbidden' },
    title: 'This chat belongs to another account',
    text: /Sign in with the account that Ada works for/,
    buttons: []
  },
  {
    name: '404 instance_not_found',
    outcome: { status: 404, code: 'instance_not_found' },
    title: 'Ada is no longer here',
    text: /removed or has moved/,
    buttons: []
  },
  {
    name: '409 agent_not_ready',
    outcome: { status: 409, code: 'agent_not_ready' },
    title: 'Ada isn’t ready yet',
    text: /still being set up/,
    buttons: ['Check again']
  },
  {
    name: '422 invalid_input',
    outcome: { status: 422, code: 'invalid_input' },
    title: 'This message can’t be sent',
    text: /empty or longer than/,
    buttons: []
  },
  {
    name: '429 rate_limited',
    outcome: { status: 429, code: 'rate_limited', retryAfter: 20 },
    title: 'Too many messages in a short time',
    text: /again in 20 s\./,
    buttons: []
  },
  {
    name: '500 internal_error',
    outcome: { status: 500, code: 'internal_error' },
    title: 'Something went wrong',
    text: /Your message is kept/,
    buttons: []
  }
]

let fixture: WidgetFixture
beforeAll(async () => {
  fixture = await openWidgetFixture()
})
afterAll(() => fixture.close())

describe.each(ASKED)('$name', ({ name, outcome, title, text, buttons }) => {
  it('stands under the message in plain words, and nothing is sent again by itself', () =>
    fixture.on({ arrange: (room) => Object.assign(room, { answer: () => outcome }) }, async (widget) => {
      const { page, log, box, room, status, say } = widget
      await say(MESSAGE)
      await box.fill('And what else?')
      await log.getByText(title, { exact: true }).waitFor()
      await log.getByText(text).waitFor()
      expect(await log.getByText(MESSAGE).count()).toBe(1)
      expect(await status.textContent()).toContain(title)
      expect(await log.locator('.notice').getByRole('button').allTextContents()).toEqual(
        buttons.map((button) => expect.stringContaining(button))
      )
      // What was written meanwhile is untouched.
      expect(await box.inputValue()).toBe('And what else?')
      await box.fill('')
      await photograph(page, name)
      if (isFirstOfItsKind(ASKED, name)) expect(await faultsOf(page)).toEqual([])
      // The reader decides: the text comes into the box and isn’t sent.
      await widget.button('Edit message').click()
      expect(await box.inputValue()).toBe(MESSAGE)
      expect(await box.evaluate((element) => element.matches(':focus'))).toBe(true)
      expect(room.posts).toHaveLength(1)
      await page.reload()
      await log.getByText(title, { exact: true }).waitFor()
      expect(widget.complaints()).toEqual([])
    }))
})

describe.each(NOT_TAKEN)('$name', ({ name, outcome, title, text, buttons }) => {
  it('keeps the message in the box and says why', () =>
    fixture.on({ arrange: (room) => Object.assign(room, { answer: () => outcome }) }, async (widget) => {
      const { page, notice, log, box, status, say } = widget
      await say(MESSAGE)
      await page.getByText(title, { exact: true }).waitFor()
      await notice.getByText(text).waitFor()
      expect(await box.inputValue()).toBe(MESSAGE)
      expect(await log.getByText(MESSAGE).count()).toBe(0)
      expect(await status.textContent()).toContain(title)
      expect(await notice.getByRole('button').allTextContents()).toEqual(
        buttons.map((button) => expect.stringContaining(button))
      )
      await photograph(page, name)
      if (isFirstOfItsKind(NOT_TAKEN, name)) expect(await faultsOf(page)).toEqual([])
      await page.reload()
      await expect.poll(() => box.inputValue()).toBe(MESSAGE)
      expect(widget.complaints()).toEqual([])
    }))
})

describe('a widget that may not even be opened', () => {
  it('leads to the sign-in, keeps the draft over it, and goes on', () =>
    fixture.on({}, async ({ page, box, room, say, log }) => {
      await box.fill(MESSAGE)
      room.access = { status: 401, code: 'unauthorized' }
      await page.reload()
      const link = page.getByRole('link', { name: 'Sign in' })
      expect(await link.getAttribute('href')).toBe('/sign-in')
      expect(await box.inputValue()).toBe(MESSAGE)
      // Signed in again in another tab.
      room.access = undefined
      await page.evaluate("dispatchEvent(new Event('focus'))")
      await link.waitFor({ state: 'hidden' })
      await say(MESSAGE)
      await log.getByText(`You said: ${MESSAGE}`).waitFor()
    }))

  it.each<[Refusal['status'], string, string]>([
    [403, 'forbidden', 'This chat belongs to another account'],
    [404, 'instance_not_found', 'Ada is no longer here']
  ])('says so at once and sends nothing: %i', (status, code, title) =>
    fixture.on(
      { arrange: (room) => Object.assign(room, { access: { status, code } }) },
      async ({ page, room, say, button }) => {
        await page.getByText(title, { exact: true }).waitFor()
        await say(MESSAGE)
        expect(await button('Send message').getAttribute('aria-disabled')).toBe('true')
        expect(room.posts).toEqual([])
      }
    )
  )
})

describe('an agent that is still being set up', () => {
  it('can be talked to as soon as it is ready, without a reload', () =>
    fixture.on(
      {
        hasOwnClock: true,
        arrange: (room) => Object.assign(room, { health: { status: 409, code: 'agent_not_ready' } })
      },
      async ({ page, notice, room, say, log, button }) => {
        await notice.getByText('Ada isn’t ready yet').waitFor()
        await say(MESSAGE)
        expect(room.posts).toEqual([])
        expect(await button('Send message').getAttribute('aria-disabled')).toBe('true')
        room.health = undefined
        await page.clock.runFor(6_000)
        await notice.getByText('Ada isn’t ready yet').waitFor({ state: 'hidden' })
        await button('Send message').click()
        await log.getByText(`You said: ${MESSAGE}`).waitFor()
      }
    ))

  it('whose server can’t be reached at the moment can be written to all the same', () =>
    fixture.on(
      { arrange: (room) => Object.assign(room, { health: { status: 503, code: 'ssh_unavailable' } }) },
      async ({ page, notice, room, say, log, button }) => {
        await notice.getByText('You can write, but a message may not get through.').waitFor()
        await photograph(page, '503 health')
        await say(MESSAGE)
        await log.getByText(`You said: ${MESSAGE}`).waitFor()
        await notice.waitFor({ state: 'hidden' })
        expect(await button('Send message').count()).toBe(1)
        expect(room.posts).toHaveLength(1)
      }
    ))
})

describe('a retry', () => {
  it('is another attempt, under another key', () =>
    fixture.on({}, async ({ room, say, button, log }) => {
      room.answer = () => ({ status: 502, code: 'agent_error' })
      await say(MESSAGE)
      await button('Try again').waitFor()
      room.answer = () => ({ reply: 'Booked.' })
      await button('Try again').click()
      await log.getByText('Booked.').waitFor()
      expect(new Set(room.posts).size).toBe(2)
    }))
})
