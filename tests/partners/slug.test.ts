import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CreatePartner } from '../../schemas/partner.ts'
import { numberedSlug, slugOf } from '../../src/partners/slug.ts'

describe('the slug of a name', () => {
  it.each([
    ['Acme Voice', 'acme-voice'],
    ['  Ácme & Söhne GmbH  ', 'acme-sohne-gmbh'],
    ['Ｆｕｌｌｗｉｄｔｈ ２４', 'fullwidth-24'],
    ['日本語', 'partner'],
    ['!!!', 'partner']
  ])('of %j is %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  it('is one that a partner may also choose, whatever the name, numbered or not', () => {
    const isSlug = (text: string) => CreatePartner.shape.slug.unwrap().safeParse(text).success
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        fc.integer({ min: 1, max: 9_999 }),
        (name, n) => {
          const slug = slugOf(name)
          return isSlug(slug) && isSlug(numberedSlug(slug, n))
        }
      )
    )
  })
})
