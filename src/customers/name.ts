import type { CustomerTable } from '../database/tables.ts'

/** How a customer is called where there is room for one name: its company, its owner, or the address. */
export const nameOf = ({
  companyName,
  firstName,
  lastName,
  email
}: Pick<CustomerTable, 'companyName' | 'firstName' | 'lastName' | 'email'>): string =>
  companyName || [firstName, lastName].filter(Boolean).join(' ') || email
