import type { Child, FC } from 'hono/jsx'
import { Icon } from './icon.tsx'
import { elementId } from './ids.ts'

interface SearchBarProps {
  name: string
  value?: string | undefined
  placeholder: string
  /** Where it searches; this page unless told otherwise. */
  action?: string | undefined
  /** Filters beside it, such as selects. */
  children?: Child
}

export const SearchBar: FC<SearchBarProps> = ({ name, value, placeholder, action, children }) => {
  const id = elementId('search')
  return (
    <FilterBar verb="Search" action={action}>
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

export const FilterBar: FC<{ verb?: string; action?: string | undefined; children?: Child }> = ({
  verb = 'Filter',
  action,
  children
}) => (
  <search>
    <form class="search" method="get" action={action}>
      {children}
      <button type="submit" class="button plain">
        {verb}
      </button>
    </form>
  </search>
)
