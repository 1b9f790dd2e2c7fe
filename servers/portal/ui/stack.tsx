// Layout, and nothing else.
import type { Child, FC } from 'hono/jsx'

type Layout = FC<{ children?: Child }>

/** One below the other. */
export const Stack: Layout = ({ children }) => <div class="stack">{children}</div>

/** Beside each other, wrapping. */
export const Row: Layout = ({ children }) => <div class="row">{children}</div>

/** Columns of equal width, as many as fit. */
export const Grid: Layout = ({ children }) => <div class="grid">{children}</div>

/** Text to read, in lines of a readable length. */
export const Prose: Layout = ({ children }) => <div class="prose">{children}</div>
