// Months as the engine's languages write them, folded.
import { fold } from './fold.ts'

const YEARS = [
  'january february march april may june july august september october november december',
  'jan feb mar apr may jun jul aug sep oct nov dec',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'januar februar märz april mai juni juli august september oktober november dezember',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
  'январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре',
  'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'
]

/** From 0, as `Date` counts them. */
export const monthNumbers: ReadonlyMap<string, number> = new Map([
  ...YEARS.flatMap((year) => year.split(' ').map((name, month) => [fold(name), month] as const)),
  ['sept', 8]
])

/** Words of their own in some language, or people's names: a month only where a number or a preposition says so. */
export const doubtfulMonths: ReadonlySet<string> = new Set([
  'march',
  'mar',
  'may',
  'mars',
  'mai',
  'mei',
  'marco',
  'jan',
  'sep',
  'dec',
  'april',
  'june',
  'august',
  'мая',
  'май'
])
