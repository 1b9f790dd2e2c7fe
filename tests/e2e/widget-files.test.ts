// Files with a message and with a reply, in a real browser.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Refusal } from '../support/chat-route.ts'
import { faultsOf, PHONE } from './support/axe.ts'
import { openWidgetFixture, photograph, type WidgetFixture } from './support/widget.ts'

let fixture: WidgetFixture
beforeAll(async () => {
  fixture = await openWidgetFixture()
})
afterAll(() => fixture.close())

const file = (name: string, bytes = 1_234) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.alloc(bytes, 'x')
})
const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.getByLabel('Attach files').setInputFiles(files)
const LONG = 'Supplier agreement with all appendices, signed and dated, final version (2).pdf'
const report = { direction: 'out', id: '1', name: 'report.xlsx', size: 2_480_000 } as const

describe('files with a message', () => {
  it('are chosen, removed, sent with it and named under it', () =>
    fixture.on({}, async ({ page, room, box, log, button, say, complaints }) => {
      await choose(page, file('offer.pdf'), file(LONG, 2_500_000), file('prices.csv', 80))
      const list = page.getByRole('list', { name: 'Files with this message' })
      await list.getByText('1.2 kB').waitFor()
      await list.getByText('0.1 kB').waitFor()
      await expect.poll(() => list.getByRole('progressbar').count()).toBe(0)
      await page.getByText('Write what Ada is to do with the files.').waitFor()
      await photograph(page, 'files-chosen')
      expect(await faultsOf(page)).toEqual([])
      await button('Remove prices.csv').focus()
      await page.keyboard.press('Enter')
      await list.getByText('prices.csv').waitFor({ state: 'detached' })
      await expect.poll(() => box.evaluate((element) => element.matches(':focus'))).toBe(true)
      room.answer = () => ({ reply: 'Here is what I found.', files: [report] })
      await say('Compare these, please')
      await log.getByText('Here is what I found.').waitFor()
      expect(room.exchanges[0]?.files.map(({ name }) => name)).toEqual(['offer.pdf', LONG, 'report.xlsx'])
      expect(await page.locator('.composer').getByText('offer.pdf').count()).toBe(0)
      await log.getByRole('list', { name: 'Files with this message' }).getByText('offer.pdf').waitFor()
      const link = log.getByRole('link', { name: 'report.xlsx 2.5 MB' })
      await photograph(page, 'files')
      expect(await faultsOf(page)).toEqual([])
      const download = page.waitForEvent('download')
      await link.click()
      expect((await download).suggestedFilename()).toBe('report.xlsx')
      expect(readFileSync(await (await download).path(), 'utf8')).toBe(`${room.exchanges[0]?.id}, 1`)
      await page.reload()
      await log.getByText('offer.pdf').waitFor()
      expect(await box.inputValue()).toBe('')
      expect(complaints()).toEqual([])
    }))

  it('come by drag and drop, and from the clipboard', () =>
    fixture.on({}, async ({ page, room, say }) => {
      const bring = (type: 'drop' | 'paste', name: string) =>
        page.evaluate(
          `(() => {
            const files = new DataTransfer()
            files.items.add(new File(['x'], '${name}'))
            const box = document.querySelector('mindgate-chat').shadowRoot.querySelector('textarea')
            const init = { bubbles: true, composed: true, cancelable: true, dataTransfer: files, clipboardData: files }
            if ('${type}' === 'drop') box.dispatchEvent(new DragEvent('dragover', init))
            return box.dispatchEvent('${type}' === 'drop' ? new DragEvent('drop', init) : new ClipboardEvent('paste', init))
          })()`
        )
      expect(await bring('drop', 'dropped.txt')).toBe(false)
      expect(await bring('paste', 'pasted.png')).toBe(false)
      await page.getByText('pasted.png').waitFor()
      await expect.poll(() => room.uploads.length).toBe(2)
      await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
      await say('What are these?')
      await expect.poll(() => room.exchanges[0]?.files.length).toBe(2)
    }))

  it('are waited for, and can be called off on their way', () =>
    fixture.on({}, async ({ page, room, say, status, button }) => {
      let come: (refusal?: Refusal) => void = () => {}
      room.receive = () =>
        new Promise((resolve) => {
          come = resolve
        })
      await choose(page, file('slow.pdf'), file('slower.pdf'))
      await page.getByRole('progressbar', { name: 'slow.pdf is on its way' }).waitFor()
      await expect
        .poll(() => page.getByRole('progressbar', { name: 'slow.pdf' }).getAttribute('value'))
        .toBe('1')
      await photograph(page, 'files-on-their-way')
      await say('Read this, please')
      await expect.poll(() => status.textContent()).toContain('Wait until the files are there')
      expect(room.posts).toEqual([])
      await button('Remove slow.pdf').click()
      await expect.poll(() => page.getByText('slow.pdf', { exact: true }).count()).toBe(0)
      room.receive = () => undefined
      come()
      await expect.poll(() => status.textContent()).toContain('The files are there')
      await page.keyboard.press('Tab')
      await say('Read this, please')
      await expect.poll(() => room.exchanges[0]?.files.map(({ name }) => name)).toEqual(['slower.pdf'])
    }))

  it('that can’t be taken say why, and go before anything is sent', () =>
    fixture.on({}, async ({ page, room, say, button, status }) => {
      room.receive = (name) => (name === 'lost.txt' ? { status: 503, code: 'ssh_unavailable' } : undefined)
      await choose(
        page,
        file('run.exe'),
        file('large.zip', 10_000_001),
        file('lost.txt'),
        ...Array.from('abc', (name) => file(`${name}.txt`))
      )
      for (const text of [
        'Files of this kind aren’t taken',
        'Larger than 10 MB',
        'Ada’s server can’t be reached',
        'Five files at most go with a message.'
      ])
        await page.locator('.composer').getByText(text).first().waitFor()
      await photograph(page, 'files-refused')
      expect(await faultsOf(page)).toEqual([])
      await say('Look at these')
      await expect.poll(() => status.textContent()).toContain('remove those that can’t be sent')
      for (const name of ['run.exe', 'large.zip', 'lost.txt']) await button(`Remove ${name}`).click()
      await say('Look at these')
      await expect.poll(() => room.exchanges[0]?.files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
    }))

  it('come back with a message that wasn’t taken, and go along when it is sent again', () =>
    fixture.on({}, async ({ page, room, box, log, button, say }) => {
      room.answer = () => ({ status: 429, code: 'rate_limited' })
      await choose(page, file('offer.pdf'))
      await expect.poll(() => room.uploads.length).toBe(1)
      await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
      await say('Read this, please')
      await expect.poll(() => box.inputValue()).toBe('Read this, please')
      await button('Remove offer.pdf').waitFor()
      room.answer = () => ({ status: 502, code: 'agent_error', hasStarted: true })
      await box.press('Enter')
      await log.getByText('Ada couldn’t answer').waitFor()
      room.answer = () => ({ reply: 'Done.' })
      await button('Try again').click()
      await log.getByText('Done.', { exact: true }).waitFor()
      expect(room.exchanges.map(({ files }) => files.map(({ id }) => id))).toEqual([['fil_0'], ['fil_0']])
    }))

  it('are neither offered nor taken where the agent takes none', () =>
    fixture.on({}, async ({ page, room, box, log, say }) => {
      await page.evaluate(`document.querySelector('mindgate-chat').setAttribute('no-files', '')`)
      await page.locator('.attach').waitFor({ state: 'detached' })
      await page.locator('[role=log][aria-busy=false]').waitFor()
      await photograph(page, 'files-none')
      const files = await page.evaluateHandle(`(() => {
        const files = new DataTransfer()
        files.items.add(new File(['x'], 'dropped.txt'))
        return files
      })()`)
      await box.dispatchEvent('drop', { dataTransfer: files })
      room.answer = () => ({ reply: 'Done.' })
      await say('Hello')
      await log.getByText('Done.', { exact: true }).waitFor()
      expect([room.uploads.length, room.exchanges[0]?.files]).toEqual([0, []])
      expect(await faultsOf(page)).toEqual([])
    }))

  it('have buttons that a thumb can press', () =>
    fixture.on({ browser: { viewport: PHONE, isMobile: true, hasTouch: true } }, async ({ page, button }) => {
      await choose(page, file('offer.pdf'))
      for (const place of [page.locator('.attach'), button('Remove offer.pdf')]) {
        const { width = 0, height = 0 } = (await place.boundingBox()) ?? {}
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
      }
    }))
})
