import type { Child, FC } from 'hono/jsx'

export interface Figure {
  label: Child
  value: number
  /** Where what is counted is listed. */
  href: string
}

/** Numbers at a glance, each a link to what it counts. */
export const Figures: FC<{ label: string; figures: readonly Figure[] }> = ({ label, figures }) => (
  <ul class="figures" aria-label={label}>
    {figures.map((figure) => (
      <li>
        <a href={figure.href}>
          <b>{figure.value.toLocaleString('en')}</b> <span>{figure.label}</span>
        </a>
      </li>
    ))}
  </ul>
)
