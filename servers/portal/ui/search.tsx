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
    <search>
      <form class="search" method="get" action={action}>
        <div class="search-box">
          <label class="sr" for={id}>
            {placeholder}
          </label>
          <Icon name="search" />
          <input id={id} class="input" type="search" name={name} value={value} placeholder={placeholder} />
        </div>
        {children}
        <button type="submit" class="button plain">
          Search
        </button>
      </form>
    </search>
  )
}
