// Cards that are one thing alone.
import type { FC } from 'hono/jsx'
import { Card, type CardProps, DescriptionList } from './layout.tsx'
import { Table, type TableProps } from './table.tsx'

export const TableCard: FC<Omit<CardProps, 'children'> & TableProps> = ({
  caption,
  columns,
  rows,
  empty,
  ...card
}) => (
  <Card {...card}>
    <Table {...{ caption, columns, rows, ...(empty && { empty }) }} />
  </Card>
)

export const FactsCard: FC<Omit<CardProps, 'children'> & Parameters<typeof DescriptionList>[0]> = ({
  items,
  ...card
}) => (
  <Card {...card}>
    <DescriptionList items={items} />
  </Card>
)
