// Numbers as people write them, each in one form.

/**
 * The one form of a number, then others that it is found by; undefined for what isn't one number.
 *
 * @example
 * numberForms('1,234.50') // ['1234.5', []]
 * numberForms('8th') // ['8', ['8th']]
 * numberForms('2024-05-08') // undefined
 */
export function numberForms(text: string): readonly [form: string, others: readonly string[]] | undefined {
  if (/^[0-9]+$/.test(text)) return [withoutZero(text), []]
  const [, counted] = /^([0-9]+)\p{Ll}{1,4}$/u.exec(text) ?? []
  if (counted !== undefined) return [withoutZero(counted), [text]]
  if (!/^[0-9]+(?:[.,][0-9]+)+$/.test(text)) return undefined
  const marks = text.replace(/[0-9]/g, '')
  const groups = text.split(/[.,]/)
  const last = groups.pop() ?? ''
  const whole = groups.join('')
  const [first = '', ...thousands] = groups
  if (first.length > 3 && thousands.length > 0) return undefined
  if (thousands.some((group) => group.length !== 3)) return undefined
  const isRepeated = new Set(marks).size === 1
  if (isRepeated && last.length === 3 && first !== '0') return [`${whole}${last}`, []]
  const isFraction = marks.length === 1 || (!isRepeated && new Set(marks.slice(0, -1)).size === 1)
  if (!isFraction) return undefined
  const fraction = last.replace(/0+$/, '')
  return [fraction === '' ? withoutZero(whole) : `${withoutZero(whole)}.${fraction}`, []]
}

/** `05` is 5; `007` is a code. */
const withoutZero = (digits: string): string => digits.replace(/^0(?=[0-9]$)/, '')

const PHONE = /\+?[0-9](?:[ ()./-]{0,2}[0-9]){6,14}(?![0-9])/g

/** Telephone numbers by their last seven digits, which stay when the country's or the area's prefix is written otherwise. */
export function phoneNumbers(text: string): string[] {
  const numbers = text.match(PHONE) ?? []
  return numbers.map((number) => `#${number.replace(/[^0-9]/g, '').slice(-7)}`)
}
