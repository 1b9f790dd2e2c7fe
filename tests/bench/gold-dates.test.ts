// Which answers name the time that a gold answer is.
import { describe, expect, it } from 'vitest'
import { namesTime } from '../../bench/gold-dates.ts'

describe('the time of a gold answer is named', () => {
  it.each([
    ['7 May 2031', 'yesterday (Wed 7 May 2031)'],
    ['May 7th, 2031.', 'on 2031-05-07'],
    ['June 2031', 'last month (1 – 30 Jun 2031)'],
    ['2030', 'last year (1 Jan – 31 Dec 2030)'],
    ['The Friday before 15 July 2031', 'last Friday (Fri 11 Jul 2031)'],
    ['The week before 9 July 2031', 'last week (30 Jun – 6 Jul 2031)'],
    ['week before 9 July, 2031', 'from 2 Jul 2031 – 8 Jul 2031'],
    ['The weekend before 17 July 2031', 'last weekend (12 – 13 Jul 2031)'],
    ['two weekends before 17 July 2031', 'two weekends ago (5 – 6 Jul 2031)']
  ])('%s: %s', (gold, answer) => {
    expect(namesTime(gold, answer)).toBe(true)
  })

  it.each([
    ['7 May 2031', 'yesterday (Thu 8 May 2031)'],
    ['7 May 2031', 'in May 2031'],
    ['June 2031', 'on 7 June 2031'],
    ['The week before 9 July 2031', 'last week, told on 2031-07-09'],
    ['The week before 9 July 2031', 'last week (7 – 13 Jul 2031)'],
    ['a few days before 9 July 2031', 'a few days ago (Sun 6 Jul 2031)'],
    ['bowling on 7 May 2031', 'on 7 May 2031']
  ])('%s, but not by %s', (gold, answer) => {
    expect(namesTime(gold, answer)).toBe(false)
  })
})
