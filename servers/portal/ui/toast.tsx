import type { FC } from 'hono/jsx'
import type { FlashMessage } from '../flash.ts'
import { Icon } from './icon.tsx'

/** What the last action did. Good news leaves by itself where scripts run, the rest stays until it is closed. */
export const Flash: FC<{ flash?: FlashMessage | undefined }> = ({ flash }) => (
  <div class="toasts" role={flash?.kind === 'bad' ? 'alert' : 'status'}>
    {flash ? (
      <div class={`toast ${flash.kind}`} data-toast={flash.kind}>
        <Icon name={flash.kind === 'good' ? 'check' : 'alert'} />
        <p>{flash.text}</p>
        <button type="button" class="toast-close" aria-label="Close the message">
          <Icon name="close" />
        </button>
      </div>
    ) : null}
  </div>
)
