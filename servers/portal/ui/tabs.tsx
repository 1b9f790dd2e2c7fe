import type { FC } from 'hono/jsx'

/** Pages beside each other; `label` names what they are pages of. */
export const Tabs: FC<{
  label: string
  items: readonly { href: string; label: string; current: boolean }[]
}> = ({ label, items }) => (
  <nav class="tabs" aria-label={label}>
    <ul>
      {items.map((item) => (
        <li>
          <a href={item.href} aria-current={item.current ? 'page' : undefined}>
            {item.label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
