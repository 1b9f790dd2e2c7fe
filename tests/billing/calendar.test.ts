// Periods and days as a partner's clocks show them: daylight saving, leap days, and the zones at the edges of the world.
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { dayOf, isTimeZone, monthOf, periodAfter, startOfDay } from '../../src/billing/calendar.ts'

const HOUR_MS = 3_600_000
const hoursOf = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) =>
  (Date.parse(endsAt) - Date.parse(startsAt)) / HOUR_MS

describe('a month', () => {
  it('has an hour less or more where the clocks change', () => {
    const march = monthOf('2026-03-15T12:00:00.000Z', 'Europe/Berlin')
    expect(march).toEqual({ startsAt: '2026-02-28T23:00:00.000Z', endsAt: '2026-03-31T22:00:00.000Z' })
    expect(hoursOf(march)).toBe(31 * 24 - 1)
    const october = monthOf('2026-10-15T12:00:00.000Z', 'Europe/Berlin')
    expect(october).toEqual({ startsAt: '2026-09-30T22:00:00.000Z', endsAt: '2026-10-31T23:00:00.000Z' })
    expect(hoursOf(october)).toBe(31 * 24 + 1)
  })

  it('is another one at the same instant at +14 and −11', () => {
    const instant = '2026-06-30T10:30:00.000Z'
    expect(monthOf(instant, 'Pacific/Kiritimati').startsAt).toBe('2026-06-30T10:00:00.000Z')
    expect(monthOf(instant, 'Pacific/Pago_Pago')).toEqual({
      startsAt: '2026-06-01T11:00:00.000Z',
      endsAt: '2026-07-01T11:00:00.000Z'
    })
    expect([dayOf(instant, 'Pacific/Kiritimati'), dayOf(instant, 'Pacific/Pago_Pago')]).toEqual([
      '2026-07-01',
      '2026-06-29'
    ])
  })

  it('holds its first instant and not its end, and the next one begins there', () => {
    for (const zone of ['Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Australia/Lord_Howe']) {
      let at = '2027-12-31T11:59:59.999Z'
      for (let month = 0; month < 26; month += 1) {
        const span = monthOf(at, zone)
        expect(monthOf(span.startsAt, zone)).toEqual(span)
        const next = monthOf(span.endsAt, zone)
        expect(next.startsAt).toBe(span.endsAt)
        const last = new Date(Date.parse(span.endsAt) - 1).toISOString()
        expect(monthOf(last, zone)).toEqual(span)
        at = next.startsAt
      }
    }
  })

  it('has the leap day', () => {
    expect(hoursOf(monthOf('2028-02-29T23:59:59.999Z', 'UTC'))).toBe(29 * 24)
    expect(hoursOf(monthOf('2027-02-10T00:00:00.000Z', 'UTC'))).toBe(28 * 24)
  })
})

describe('a period that was begun at any time', () => {
  it('of a year over both changes of the clocks is as long as the year', () => {
    const begun = '2026-02-10T08:15:00.000Z'
    const year = periodAfter(begun, 'Europe/Berlin', 'year', 0)
    expect(year).toEqual({ startsAt: begun, endsAt: '2027-02-10T08:15:00.000Z' })
    expect(hoursOf(year)).toBe(365 * 24)
    // Half of it is in summer: the hour on the wall is the same.
    expect(periodAfter(begun, 'Europe/Berlin', 'quarter', 1).startsAt).toBe('2026-05-10T07:15:00.000Z')
  })

  it('of a month from the 31st on ends on the last day of shorter months', () => {
    const begun = '2028-01-31T10:00:00.000Z'
    const starts = [0, 1, 2, 3].map((count) => periodAfter(begun, 'UTC', 'month', count).startsAt)
    expect(starts.map((at) => at.slice(0, 10))).toEqual([
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30'
    ])
  })

  it('of a year from a leap day on comes back to it', () => {
    const ends = [0, 3].map((count) => periodAfter('2028-02-29T12:00:00.000Z', 'UTC', 'year', count).endsAt)
    expect(ends).toEqual(['2029-02-28T12:00:00.000Z', '2032-02-29T12:00:00.000Z'])
  })
})

it('begins a day at its first instant, also where midnight is left out', () => {
  // The clocks of Beirut go from 0:00 to 1:00.
  expect(startOfDay('2026-03-29', 'Asia/Beirut')).toBe('2026-03-28T22:00:00.000Z')
  expect(dayOf('2026-03-28T22:00:00.000Z', 'Asia/Beirut')).toBe('2026-03-29')
  // There was no 30 December 2011 in Apia.
  expect(Temporal.PlainDate.from('2011-12-31').toZonedDateTime('Pacific/Apia').offset).toBe('+14:00')
  expect(dayOf(startOfDay('2011-12-31', 'Pacific/Apia'), 'Pacific/Apia')).toBe('2011-12-31')
})

it('knows the zones of the IANA database, and takes no offset for one', () => {
  expect(['Europe/Lisbon', 'UTC', 'Pacific/Kiritimati'].map(isTimeZone)).toEqual([true, true, true])
  expect(['Europe/Lisboa', '', '+02:00', 'not a zone'].map(isTimeZone)).toEqual([false, false, false, false])
  // Of these the calendar can't tell a month, so that nothing of their partner's could be charged any more.
  expect(['PST', 'IST', 'JST'].map(isTimeZone)).toEqual([false, false, false])
})
