import { it } from 'vitest'
import { expectJudgedAtOnce } from './long-texts.ts'

it('the input of an operation of a mebibyte in one text is judged at once, whatever the text', () =>
  expectJudgedAtOnce({ length: 1_000_000, withinMs: 2_000 }))
