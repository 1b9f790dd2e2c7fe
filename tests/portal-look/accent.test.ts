// Whatever accent a partner picks, everybody can read what is written in it and on it.
import { wcagContrast } from 'culori'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accentOf } from '../../servers/portal/assets/accent.ts'
import { oklchText, PALETTE, type Scheme, SURFACES } from '../../servers/portal/assets/palette.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
/** Random colours are seldom pale, dark or grey, which is where contrast is lost. */
const EXTREMES = ['#000000', '#ffffff', '#777777', '#767676', '#ffff00', '#0000ff', '#00ff00', '#fefefe']
/** The same at every run: what nobody changed doesn't fail. */
const ACCENTS = [...EXTREMES, ...fc.sample(hex, { numRuns: 500, seed: 1 })]
const schemes: readonly Scheme[] = ['light', 'dark']

describe.each(schemes)('an accent in %s', (scheme) => {
  const ground = Object.fromEntries(
    Object.entries(PALETTE[scheme]).map(([name, value]) => [name, oklchText(value)])
  )
  const all = ACCENTS.map((accent) => {
    const made = Object.entries(accentOf(accent, scheme)).map(([name, value]) => [name, oklchText(value)])
    return { given: accent, ...Object.fromEntries(made) }
  })
  const contrast = (one: string | undefined, other: string | undefined) =>
    wcagContrast(one ?? '', other ?? '')

  it('has readable text on it, pressed or not', () => {
    for (const made of all) {
      expect(contrast(made['accent-text'], made.accent), made.given).toBeGreaterThanOrEqual(4.5)
      expect(contrast(made['accent-text'], made['accent-hover']), made.given).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('is readable as text on every surface and on its own soft shade', () => {
    for (const made of all) {
      for (const surface of [...SURFACES.map((name) => ground[name]), made['accent-soft']]) {
        expect(contrast(made['accent-ink'], surface), made.given).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  it('stands out from every surface as a line', () => {
    for (const made of all) {
      for (const name of SURFACES)
        expect(contrast(made['accent-line'], ground[name]), made.given).toBeGreaterThanOrEqual(3)
    }
  })

  it('leaves the usual text readable on its soft shade', () => {
    for (const made of all)
      expect(contrast(ground.text, made['accent-soft']), made.given).toBeGreaterThanOrEqual(4.5)
  })

  it('fills buttons with the very colour that was picked', () => {
    // A ratio of one is no difference to the eye; the numbers are rounded.
    for (const { accent, given } of all) expect(contrast(accent, given), given).toBeLessThan(1.01)
  })
})

describe.each(schemes)('the other colours in %s', (scheme) => {
  const ground = PALETTE[scheme]
  const TEXTS = ['text', 'text-soft', 'good', 'warn', 'bad'] as const

  it.each(TEXTS)('have %s readable on every surface', (name) => {
    for (const surface of SURFACES) {
      expect(wcagContrast(oklchText(ground[name]), oklchText(ground[surface]))).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(['good', 'warn', 'bad'] as const)('have %s readable on its own soft shade', (name) => {
    expect(wcagContrast(oklchText(ground[name]), oklchText(ground[`${name}-soft`]))).toBeGreaterThanOrEqual(
      4.5
    )
  })

  it('have white readable on what fills a dangerous button, and edges of fields that can be seen', () => {
    expect(wcagContrast('#ffffff', oklchText(ground['bad-fill']))).toBeGreaterThanOrEqual(4.5)
    expect(
      wcagContrast(oklchText(ground['line-strong']), oklchText(ground['surface-raised']))
    ).toBeGreaterThanOrEqual(3)
  })
})
