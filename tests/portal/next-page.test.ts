// Where somebody is sent after signing in, as a browser reads the answer's Location.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextPage } from '../../servers/portal/addresses.ts'

const ORIGIN = 'https://portal.acme.example'
const BASES = ['', '/portal/acme', '/console'] as const

/** What paths to other places are made of. */
const odd = fc.string({
  unit: fc.constantFrom(
    ...[
      '/',
      '//',
      '\\',
      '.',
      '..',
      '/./',
      '/../',
      '%2e',
      '%2E%2e',
      '%2f',
      '%5c',
      '%09',
      '\t',
      '\n',
      '\r',
      ' '
    ],
    ...['\0', '@', ':', '?', '#', '[', ']', 'https:', 'javascript:', 'evil.example', 'a', 'é', '\ud800', '%']
  ),
  maxLength: 12
})
const wanted = fc.oneof(
  odd,
  odd.map((path) => `/${path}`),
  fc.webUrl(),
  fc.string({ unit: 'binary' })
)

describe.each(BASES)('the next page below “%s”', (base) => {
  it('stays on its host and below its base, whatever is wanted', () => {
    fc.assert(
      fc.property(wanted, (next) => {
        const location = nextPage(base, next)
        expect(location).toMatch(/^\/[\x21-\x7e]*$/)
        const { origin, pathname } = new URL(location, `${ORIGIN}${base}/sign-in`)
        expect(origin).toBe(ORIGIN)
        expect(pathname === (base || '/') || pathname.startsWith(`${base}/`)).toBe(true)
        // What it leads to is no other host when it is asked for once more.
        expect(pathname.startsWith('//')).toBe(false)
      }),
      { numRuns: 2_000 }
    )
  })

  it('is the one that was wanted, if it is a page', () => {
    for (const path of ['/account', '/account?x=1', '/chat/ins_1', '/memory/m%2F1?page=2&q=%C3%A9']) {
      expect(nextPage(base, path)).toBe(base + path)
    }
  })

  it.each([
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/.\\/evil'
  ])('is no other host for %s', (next) => {
    if (base === '') expect(nextPage(base, next)).toBe('/')
    expect(new URL(nextPage(base, next), ORIGIN).host).toBe('portal.acme.example')
  })

  it('is home where there is no address at all', () => {
    for (const next of [undefined, '', '/', 'account', ...(base ? [] : ['/\t/[', '//['])]) {
      expect(nextPage(base, next)).toBe(base || '/')
    }
  })
})
