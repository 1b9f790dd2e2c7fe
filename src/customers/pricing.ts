// The price model behind `estimatedPrice` and `priceBreakdown` (§2.1): a base by call volume, surcharges on it.
import { z } from 'zod'
import { fromMicros, toMicros } from '../money.ts'

const factors = z.record(z.string().max(100), z.number().min(0).max(100))

/** A partner can override any of these; what it leaves out stays as in `DEFAULT_PRICE_MODEL`. */
export const PriceModel = z.strictObject({
  /** Monthly base by calls a month; the first tier that reaches the volume counts, the last one has no limit. */
  volumeTiers: z
    .array(z.strictObject({ upTo: z.number().positive().nullable(), base: z.number().min(0).max(1_000_000) }))
    .min(1)
    .max(50),
  /** Factor on the base by the label's lower-case text; an unknown label counts as 1. */
  callComplexity: factors,
  scriptComplexity: factors,
  perExtraLanguage: z.number().min(0).max(100),
  perIntegration: z.number().min(0).max(1_000_000),
  customAutomation: z.number().min(0).max(100)
})
export type PriceModel = z.infer<typeof PriceModel>

const COMPLEXITY = {
  simple: 1,
  low: 1,
  basic: 1,
  medium: 1.25,
  moderate: 1.25,
  high: 1.5,
  complex: 1.5,
  advanced: 1.5
}

export const DEFAULT_PRICE_MODEL: PriceModel = {
  volumeTiers: [
    { upTo: 500, base: 99 },
    { upTo: 1_000, base: 199 },
    { upTo: 5_000, base: 499 },
    { upTo: 10_000, base: 899 },
    { upTo: null, base: 1_499 }
  ],
  callComplexity: COMPLEXITY,
  scriptComplexity: { ...COMPLEXITY, medium: 1.15, moderate: 1.15, high: 1.3, complex: 1.3, advanced: 1.3 },
  perExtraLanguage: 0.1,
  perIntegration: 49,
  customAutomation: 1.2
}

/** The onboarding answers that the price depends on; what is absent costs nothing extra. */
export interface PricedInputs {
  monthlyCallVolume?: string | undefined
  callComplexity?: string | undefined
  scriptComplexity?: string | undefined
  languages?: readonly string[] | undefined
  crmSystem?: string | undefined
  phoneSystem?: string | undefined
  customAutomation?: string | undefined
}

const Breakdown = z.object({ items: z.array(z.object({ item: z.string(), amount: z.number() })) })
type PriceLine = z.infer<typeof Breakdown>['items'][number]

/** The estimate in micro-units with its line items, which sum to it exactly. */
export function estimatePrice(inputs: PricedInputs, model = DEFAULT_PRICE_MODEL) {
  const base = baseFor(model, inputs.monthlyCallVolume)
  const surcharge = (factor: number) => base * (factor - 1)
  const extraLanguages = Math.max(0, (inputs.languages?.length ?? 0) - 1)
  const candidates: [string, number][] = [
    ['Call complexity', surcharge(factorOf(model.callComplexity, inputs.callComplexity))],
    ['Script complexity', surcharge(factorOf(model.scriptComplexity, inputs.scriptComplexity))],
    ['Additional languages', base * model.perExtraLanguage * extraLanguages],
    ['CRM integration', isWanted(inputs.crmSystem) ? model.perIntegration : 0],
    ['Phone system integration', isWanted(inputs.phoneSystem) ? model.perIntegration : 0],
    ['Custom automation', isWanted(inputs.customAutomation) ? surcharge(model.customAutomation) : 0]
  ]
  const lines = [['Base price', base] as const, ...candidates]
    .map(([item, amount]) => ({ item, amount: Math.round(amount * 100) / 100 }))
    .filter(({ item, amount }) => amount !== 0 || item === 'Base price')
  const priceMicros = lines.reduce((sum, { amount }) => sum + toMicros(amount), 0)
  return { priceMicros, lines }
}

/** What to offer where the price hangs on an answer, with the tier's base or the factor: words that mean the same once. */
export function pricedAnswers({ volumeTiers, callComplexity, scriptComplexity }: PriceModel) {
  const distinct = (table: Readonly<Record<string, number>>) =>
    [...new Set(Object.values(table))].flatMap((factor) => {
      const value = Object.keys(table).find((label) => table[label] === factor)
      return value === undefined ? [] : { value, factor }
    })
  const monthlyCallVolume = volumeTiers.map(({ upTo, base }, index) => {
    const below = volumeTiers[index - 1]?.upTo ?? 0
    return { value: upTo === null ? `${below}+` : `${below + Math.min(index, 1)}-${upTo}`, base }
  })
  return {
    monthlyCallVolume,
    callComplexity: distinct(callComplexity),
    scriptComplexity: distinct(scriptComplexity)
  }
}

/** A sentence for each label that the model doesn't know, with what was taken instead: nobody sees it in the price. */
export function unpricedLabels(inputs: PricedInputs, model = DEFAULT_PRICE_MODEL): string[] {
  const { monthlyCallVolume: volume = '', callComplexity, scriptComplexity } = inputs
  const [lowest] = model.volumeTiers
  const upTo = lowest?.upTo == null ? '' : ` up to ${lowest.upTo} calls`
  const isUnknown = (table: Record<string, number>, label = '') =>
    label.trim() !== '' && table[label.trim().toLowerCase()] === undefined
  const known = (table: Record<string, number>) => Object.keys(table).join(', ')
  const surcharged = [
    { name: 'callComplexity', label: callComplexity, table: model.callComplexity },
    { name: 'scriptComplexity', label: scriptComplexity, table: model.scriptComplexity }
  ]
  return [
    ...(volume.trim() === '' || /\d/.test(volume)
      ? []
      : [`monthlyCallVolume “${volume}” names no number of calls: the tier${upTo} was taken.`]),
    ...surcharged
      .filter(({ label, table }) => isUnknown(table, label))
      .map(({ name, label, table }) => `${name} “${label}” is none of ${known(table)}: it adds nothing.`)
  ]
}

/** The wire's `priceBreakdown`: JSON text of the line items. */
export const breakdownText = (lines: readonly PriceLine[], priceMicros: number): string =>
  JSON.stringify({ items: lines, total: fromMicros(priceMicros) })

export const linesOfBreakdown = (text: string): PriceLine[] => Breakdown.parse(JSON.parse(text)).items

/** Labels are free text: the largest number in one is its volume, and a `+` behind it means more than that. */
function baseFor(model: PriceModel, label = ''): number {
  const ungrouped = label.replaceAll(/(?<=\d)[,. ](?=\d{3})/g, '')
  let volume = 0
  for (const [, digits, kilo, more] of ungrouped.matchAll(/(\d+(?:\.\d+)?)\s*(k)?\s*(\+)?/gi))
    volume = Math.max(volume, Number(digits) * (kilo ? 1_000 : 1) + (more ? 1 : 0))
  const { volumeTiers } = model
  const tier = volumeTiers.find(({ upTo }) => upTo === null || volume <= upTo) ?? volumeTiers.at(-1)
  return tier?.base ?? 0
}

const factorOf = (table: Record<string, number>, label = ''): number => table[label.trim().toLowerCase()] ?? 1

/** Intake forms send "none" and "no" as well as nothing. */
const isWanted = (answer = ''): boolean => !/^(|no|none|n\/a)$/i.test(answer.trim())
