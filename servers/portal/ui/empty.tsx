import type { Child, FC } from 'hono/jsx'

/** Says what would be here and how to get it. */
export const EmptyState: FC<{ title: string; action?: Child; children?: Child }> = ({
  title,
  action,
  children
}) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children ? <div class="empty-text">{children}</div> : null}
    {action ? <div class="empty-action">{action}</div> : null}
  </div>
)
