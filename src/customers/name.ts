import type { CustomerTable } from './table.ts'

export type Person = Pick<CustomerTable, 'firstName' | 'lastName'>
export type Named = Person & Pick<CustomerTable, 'companyName' | 'email'>

/** How a customer is called where there is room for one name: its company, its owner, or the address. */
export const nameOf = (customer: Named): string =>
  customer.companyName || personName(customer) || customer.email

/** The person's name, '' if it isn't known. */
export const personName = ({ firstName, lastName }: Person): string =>
  [firstName, lastName].filter(Boolean).join(' ')
