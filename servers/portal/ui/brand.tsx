import type { Child, FC } from 'hono/jsx'
import type { Look } from '../look.ts'

/** The logo, or the first letter in the accent's colour, and the name. */
export const Brand: FC<{ look: Look; href?: string | undefined }> = ({ look, href }) => {
  const mark: Child = look.logo ? (
    <img
      class="logo"
      src={look.logo.url}
      width={look.logo.width}
      height={look.logo.height}
      alt={isWide(look.logo) ? look.name : ''}
    />
  ) : (
    <span class="monogram" aria-hidden="true">
      {[...look.name.trim()][0]?.toUpperCase()}
    </span>
  )
  const content = (
    <>
      {mark}
      {look.logo && isWide(look.logo) ? null : <span class="brand-name">{look.name}</span>}
    </>
  )
  return href === undefined ? (
    <span class="brand">{content}</span>
  ) : (
    <a class="brand" href={href}>
      {content}
    </a>
  )
}

/** A wide logo has the name in it, a square one is a mark beside it. */
const isWide = ({ width, height }: { width: number; height: number }): boolean => width >= height * 2
