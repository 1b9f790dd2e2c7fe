// How commands name customers: by id or short code, mostly their own, sometimes the other partner's or nobody's.
import fc from 'fast-check'
import type { Real } from './command.ts'
import type { PartnerModel } from './partner-model.ts'

/** Chooses a customer when the command runs, because only then it is known which there are. */
export type Reference = (model: PartnerModel, real: Real) => string

export const hasCustomers = ({ customers }: PartnerModel): boolean => customers.length > 0

export const references: fc.Arbitrary<Reference> = fc.oneof(
  {
    arbitrary: fc.tuple(fc.nat({ max: 100 }), fc.constantFrom('id', 'code', 'lower-case code')).map(
      ([pick, form]): Reference =>
        (model) =>
          named(model, pick, form)
    ),
    weight: 12
  },
  {
    arbitrary: fc.tuple(fc.nat({ max: 100 }), fc.constantFrom('id', 'code')).map(
      ([pick, form]): Reference =>
        (_, { rival }) =>
          named(rival.model, pick, form)
    ),
    weight: 1
  }
)

function named({ customers }: PartnerModel, pick: number, form: string): string {
  const record = customers[pick % customers.length]?.record
  if (!record) return 'cus_nobody'
  if (form === 'id') return record.id
  return form === 'code' ? record.customerId : record.customerId.toLowerCase()
}
