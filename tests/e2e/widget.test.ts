// Talking to the agent, in a real browser.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchangeOf, type Outcome, type Room } from '../support/chat-route.ts'
import { faultsOf, PHONE } from './support/axe.ts'
import { openWidgetFixture, photograph, type WidgetFixture } from './support/widget.ts'

let fixture: WidgetFixture
beforeAll(async () => {
  fixture = await openWidgetFixture()
})
afterAll(() => fixture.close())

/** Lets a test decide when the agent has its reply. */
function held(room: Room): (outcome: Outcome) => void {
  let answer: (outcome: Outcome) => void = () => undefined
  const outcome = new Promise<Outcome>((resolve) => {
    answer = resolve
  })
  room.answer = () => outcome
  return answer
}

/** As many earlier exchanges, the oldest first. */
const fill = (room: Room, count: number) => {
  for (let index = 1; index <= count; index += 1) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 8, index)).toISOString()
    const told = {
      message: `Question ${index}.`,
      reply: `Answer ${index}.`,
      createdAt,
      answeredAt: createdAt
    }
    room.exchanges.push(exchangeOf({ key: `old-${index}`, ...told }))
  }
}

const scrollTop = (page: Page) => page.getByRole('log').evaluate(({ scrollTop: top }) => top)

describe('writing', () => {
  it('sends by Enter and starts a new line by Shift+Enter', () =>
    fixture.on({}, async ({ box, log, room }) => {
      await box.press('Enter')
      await box.pressSequentially('one')
      await box.press('Shift+Enter')
      await box.pressSequentially('two')
      await box.press('Enter')
      await log.getByText('You said: one').waitFor()
      expect(room.exchanges.map(({ message }) => message)).toEqual(['one\ntwo'])
      expect(await box.inputValue()).toBe('')
    }))

  it('lets Enter choose a word where words are composed', () =>
    fixture.on({}, async ({ box, room }) => {
      await box.fill('さくら')
      await box.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
      await box.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 })
      expect(await box.inputValue()).toBe('さくら')
      expect(room.posts).toEqual([])
    }))

  it('tells before the message is too long, and sends none that is', () =>
    fixture.on({}, async ({ page, box, room }) => {
      await box.fill('é'.repeat(16_384))
      await page.getByText('Characters left: 0').waitFor()
      await box.fill('é'.repeat(16_390))
      await page.getByText('Too long. Characters to remove: about 6').waitFor()
      expect(await box.getAttribute('aria-invalid')).toBe('true')
      await box.press('Enter')
      expect(room.posts).toEqual([])
    }))

  it('survives a reload', () =>
    fixture.on({}, async ({ page, box }) => {
      await box.fill('not finished')
      await page.reload()
      await expect.poll(() => box.inputValue()).toBe('not finished')
    }))
})

describe('waiting for the reply', () => {
  it('shows that the agent works, says after ten seconds that it takes long, and tells the reply once', () =>
    fixture.on({ hasOwnClock: true }, async ({ page, room, say, log, box, status }) => {
      const answer = held(room)
      await say('Plan Friday, please')
      await log.getByText('Ada is working on it').waitFor()
      expect(await status.textContent()).toBe('Ada is working on it')
      await page.clock.runFor(12_000)
      await log
        .getByText('Ada is still working · 12 s. A long task goes on when you leave; its reply will be here.')
        .waitFor()
      expect(await status.textContent()).toContain(
        'A long task goes on when you leave; its reply will be here.'
      )
      await photograph(page, 'working')
      expect(await faultsOf(page)).toEqual([])
      await box.fill('And Saturday')
      await box.press('Enter')
      await expect.poll(() => status.textContent()).toContain('Wait for the reply, or stop it')
      expect(await box.inputValue()).toBe('And Saturday')
      answer({ reply: 'Friday is **planned**.' })
      await log.getByText('Friday is planned.').waitFor()
      expect(await log.getByText('still working').count()).toBe(0)
      expect(await status.textContent()).toBe('Ada replied: Friday is planned.')
      expect(await log.getAttribute('aria-live')).toBe('off')
      await box.press('Enter')
      await expect.poll(() => room.posts.length).toBe(2)
    }))

  it('shows what the agent does and says meanwhile, through a reload, until it has replied', () =>
    fixture.on({}, async ({ page, room, say, log, box, button }) => {
      const goOn = held(room)
      await say('Plan Friday, please')
      await log.getByText('Ada is working on it').waitFor()
      const row = room.exchanges.at(-1)
      if (!row) throw new Error('Nothing was sent')
      row.progress = { text: '', tools: ['terminal', 'web_search', 'terminal'] }
      await log.getByText('Used so far: web_search, terminal').waitFor()
      row.progress = { text: '# Friday\n\nAt **nine**', tools: ['web_search', 'terminal'] }
      await log.getByRole('heading', { name: 'Friday' }).waitFor()
      // The wait of the request is over.
      goOn({ status: 504, code: 'agent_timeout', hasStarted: true, isRunning: true })
      await page.reload()
      await log.getByRole('heading', { name: 'Friday' }).waitFor()
      await photograph(page, 'at-work')
      expect(await faultsOf(page)).toEqual([])
      Object.assign(row, { state: 'answered', reply: '# Friday\n\nAt **nine** it begins.', progress: null })
      await log.getByText('it begins').waitFor()
      expect(await button('Stop').count()).toBe(0)
      expect(await box.isEditable()).toBe(true)
    }))

  it('lets nothing else be sent while its request is over and the agent isn’t', () =>
    fixture.on({}, async ({ room, say, log, box, status, button }) => {
      const goOn = held(room)
      await say('Plan Friday, please')
      goOn({ status: 504, code: 'agent_timeout', hasStarted: true, isRunning: true })
      await expect.poll(() => room.exchanges.at(-1)?.state).toBe('waiting')
      await box.fill('And Saturday')
      await box.press('Enter')
      await expect.poll(() => status.textContent()).toContain('Wait for the reply, or stop it')
      await button('Stop').click()
      await log.getByText('What was done until then stays done.').waitFor()
      await box.press('Enter')
      await expect.poll(() => room.posts.length).toBe(2)
    }))

  it('can be stopped, which ends the run on the server', () =>
    fixture.on({}, async ({ page, room, say, log, box, button }) => {
      held(room)
      await say('Plan Friday, please')
      await button('Stop').click()
      await log.getByText('Stopped', { exact: true }).waitFor()
      expect(room.exchanges.map(({ state }) => state)).toEqual(['cancelled'])
      expect(await box.evaluate((element) => element.matches(':focus'))).toBe(true)
      await photograph(page, 'stopped')
      expect(await faultsOf(page)).toEqual([])
      await page.reload()
      await log.getByText('Stopped', { exact: true }).waitFor()
      await button('Edit message').click()
      expect(await box.inputValue()).toBe('Plan Friday, please')
    }))

  it('goes on over a reload', () =>
    fixture.on({}, async ({ page, room, say, log, button }) => {
      const answer = held(room)
      await say('Plan Friday, please')
      await button('Stop').waitFor()
      await page.reload()
      await button('Stop').waitFor()
      answer({ reply: 'Friday is planned.' })
      await log.getByText('Friday is planned.').waitFor()
      expect(room.posts).toHaveLength(1)
    }))
})

describe('the conversation', () => {
  it('is there after a reload, with earlier messages on demand and nothing moved by them', () =>
    fixture.on({ arrange: (room) => fill(room, 120) }, async ({ page, log, button, status }) => {
      await log.getByText('Answer 120.').waitFor()
      expect(await log.getByText('Answer 70.').count()).toBe(0)
      expect(await status.textContent()).toBe('')
      await button('Show earlier messages').scrollIntoViewIfNeeded()
      const first = log.getByText('Question 71.')
      const before = await first.boundingBox()
      await button('Show earlier messages').evaluate((element) => Reflect.get(element, 'click').call(element))
      await log.getByText('Question 21.').waitFor()
      const after = await first.boundingBox()
      expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(100)
      await button('Show earlier messages').click()
      await log.getByText('Question 1.').waitFor()
      expect(await button('Show earlier messages').count()).toBe(0)
      expect(await log.getByText(/^Question/).count()).toBe(120)
      await photograph(page, 'earlier')
    }))

  it('says what would be here while nothing is', () =>
    fixture.on({}, async ({ page, log }) => {
      await log.getByText('Start a conversation with Ada').waitFor()
      await photograph(page, 'empty')
      expect(await faultsOf(page)).toEqual([])
    }))

  it('keeps its place for who reads further up, and offers the way back', () =>
    fixture.on({ arrange: (room) => fill(room, 40) }, async ({ page, room, say, log, button }) => {
      const answer = held(room)
      await say('Plan Friday, please')
      await log.getByText('Plan Friday, please').waitFor()
      await log.evaluate((element) => Reflect.get(element, 'scrollTo').call(element, 0, 0))
      await button('Latest messages').waitFor()
      answer({ reply: 'Friday is planned.' })
      await page.getByRole('status').getByText('Ada replied').waitFor()
      expect(await scrollTop(page)).toBe(0)
      await button('Latest messages').click()
      await button('Latest messages').waitFor({ state: 'hidden' })
      expect(await scrollTop(page)).toBeGreaterThan(100)
    }))

  it('shows a long reply from its beginning', () =>
    fixture.on({ arrange: (room) => fill(room, 10) }, async ({ room, say, log }) => {
      room.answer = () => ({ reply: `First line.\n\n${'More of it.\n\n'.repeat(80)}Last line.` })
      await say('Tell me everything')
      const first = log.getByText('First line.')
      await first.waitFor()
      const [shown, view] = [await first.boundingBox(), await log.boundingBox()]
      expect(shown?.y).toBeGreaterThan(view?.y ?? 0)
      expect(shown?.y).toBeLessThan((view?.y ?? 0) + 100)
    }))

  it('is the same in another tab at once, and in another browser when one comes back to it', () =>
    fixture.on({}, async (one) => {
      const other = await one.tab()
      const answer = held(one.room)
      await one.say('Plan Friday, please')
      await other.log.getByText('Plan Friday, please').waitFor()
      await other.button('Stop').waitFor()
      answer({ reply: 'Friday is planned.' })
      await other.log.getByText('Friday is planned.').waitFor()
      fill(one.room, 1)
      await other.page.evaluate("dispatchEvent(new Event('focus'))")
      await other.log.getByText('Answer 1.').waitFor()
    }))
})

describe('a phone', () => {
  const phone = { viewport: PHONE, isMobile: true, hasTouch: true }

  it('starts a new line by Enter and sends by the button', () =>
    fixture.on({ browser: phone }, async ({ box, button, log, room }) => {
      await box.pressSequentially('one')
      await box.press('Enter')
      await box.pressSequentially('two')
      await button('Send message').tap()
      await log.getByText('You said: one').waitFor()
      expect(room.exchanges.map(({ message }) => message)).toEqual(['one\ntwo'])
      const { width = 0, height = 0 } = (await button('Send message').boundingBox()) ?? {}
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    }))

  it('keeps the box above its keyboard', () =>
    fixture.on({ browser: phone, arrange: (room) => fill(room, 20) }, async ({ page, box, log }) => {
      await log.getByText('Answer 20.').waitFor()
      // Playwright has no keyboard to show: the browser is made to tell what it would tell of one.
      await page.evaluate(`Object.defineProperties(visualViewport, { height: { value: innerHeight - 300 } })
        visualViewport.dispatchEvent(new Event('resize'))`)
      const { y = 0, height = 0 } = (await box.boundingBox()) ?? {}
      expect(y + height).toBeLessThan(PHONE.height - 300)
      expect(await log.getByText('Answer 20.').isVisible()).toBe(true)
    }))
})
