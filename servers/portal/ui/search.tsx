import type { Child, FC } from 'hono/jsx'
import { say } from '../../../src/language/say.ts'
import { elementId, Select } from './field.tsx'
import { Icon } from './icon.tsx'

interface FilterBarProps {
  action?: string | undefined
  verb?: string
  filters?: readonly Filter[]
  children?: Child
}

export interface Filter {
  label: string
  name: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
  /** What choosing none of them is called. */
  none?: string | undefined
}

export const FilterBar: FC<FilterBarProps> = ({ action, verb = say('Filter'), filters = [], children }) => (
  <search>
    <form class="search" method="get" action={action}>
      {children}
      {filters.map(({ options, none = say('Any'), ...select }) => (
        <Select {...select} options={[{ value: '', label: none }, ...options]} />
      ))}
      <button type="submit" class="button plain">
        {verb}
      </button>
    </form>
  </search>
)

export const choicesOf = (labels: Readonly<Record<string, string>>): { value: string; label: string }[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

interface SearchBarProps extends Omit<FilterBarProps, 'verb'> {
  name: string
  value?: string | undefined
  placeholder: string
}

export const SearchBar: FC<SearchBarProps> = ({ name, value, placeholder, children, ...bar }) => {
  const id = elementId('search')
  return (
    <FilterBar verb={say('Search')} {...bar}>
      <div class="search-box">
        <label class="sr" for={id}>
          {placeholder}
        </label>
        <Icon name="search" />
        <input id={id} class="input" type="search" name={name} value={value} placeholder={placeholder} />
      </div>
      {children}
    </FilterBar>
  )
}
