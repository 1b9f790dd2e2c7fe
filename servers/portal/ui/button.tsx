// What one presses: buttons act, links go somewhere; both can look the same.
import type { Child, FC } from 'hono/jsx'

export type ButtonKind = 'primary' | 'plain' | 'danger'

interface ButtonProps {
  kind?: ButtonKind | undefined
  type?: 'submit' | 'button' | undefined
  name?: string | undefined
  value?: string | undefined
  /** What a screen reader says where the visible text alone is ambiguous. */
  label?: string | undefined
  isDisabled?: boolean | undefined
  children?: Child
}

export const Button: FC<ButtonProps> = ({
  kind = 'primary',
  type = 'submit',
  name,
  value,
  label,
  isDisabled,
  children
}) => (
  <button
    class={`button ${kind}`}
    type={type}
    name={name}
    value={value}
    aria-label={label}
    disabled={isDisabled}
  >
    {children}
  </button>
)

interface LinkButtonProps {
  href: string
  kind?: ButtonKind | undefined
  download?: boolean | string | undefined
  children?: Child
}

export const LinkButton: FC<LinkButtonProps> = ({ href, kind = 'primary', download, children }) => (
  <a class={`button ${kind}`} href={href} download={download}>
    {children}
  </a>
)
