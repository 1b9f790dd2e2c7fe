// The partner API, typed by its OpenAPI document.
import createClient, {
  type ClientPathsWithMethod,
  type Client as Fetching,
  type MaybeOptionalInit,
  type MethodResponse
} from 'openapi-fetch'
import type { paths } from './openapi.ts'
import { type ListPath, type RowOf, rowsOf } from './rows.ts'
import { createSend, type SendOptions } from './send.ts'

export { MindgateError } from './error.ts'
export type { components } from './openapi.ts'
export { verifyWebhook, type WebhookEvent } from './webhook.ts'

export interface MindgateOptions extends SendOptions {
  /** Where the service is, such as `https://voice.example.com`. Default: `MINDGATE_URL` of the environment. */
  url?: string
  /** A partner API key, `pkt_…`. Default: `MINDGATE_KEY` of the environment. */
  key?: string
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathWith<M extends Method> = ClientPathsWithMethod<Fetching<paths>, M>
/** What a call takes; nothing, where it needs nothing. */
type Taken<Init> = undefined extends Init ? [init?: Init] : [init: Init]

type Call<M extends Method> = <Path extends PathWith<M>, Init extends MaybeOptionalInit<paths[Path], M>>(
  path: Path,
  ...init: Taken<Init>
) => Promise<MethodResponse<Fetching<paths>, M, Path, Init>>

/** The body of each answer; a refusal is thrown as a `MindgateError`. */
export interface Mindgate {
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** Every row of a list, page after page as they are asked for; of JSON Lines, each as it comes. */
  each<Path extends ListPath>(
    path: Path,
    ...init: Taken<MaybeOptionalInit<paths[Path], 'get'>>
  ): AsyncGenerator<RowOf<Path>, void>
}

/** A client of the partner API. @throws TypeError when the address or the key is none */
export function createMindgate(options: MindgateOptions = {}): Mindgate {
  const { url = process.env.MINDGATE_URL ?? '', key = process.env.MINDGATE_KEY ?? '' } = options
  // fetch would name the header's whole value.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('The key is empty, or has characters that no key has.')
  const client = createClient<paths>({
    baseUrl: new URL('/api/v1/mcp', url).href,
    headers: { Authorization: `Bearer ${key}` },
    // A POST that is led elsewhere would arrive as a GET.
    redirect: 'manual',
    bodySerializer: (body: unknown) => (body instanceof Blob ? body : JSON.stringify(body)),
    fetch: createSend(options)
  })
  // Here types are put aside: what calls take and answer is said by `Mindgate`.
  const request = client.request as unknown as (method: Method, path: string, init?: Init) => Promise<Answer>
  const call = <M extends Method>(method: M) =>
    (async (path: string, init?: Init) => (await request(method, path, init)).data) as Call<M>
  const each = (path: string, init?: Init) =>
    rowsOf(async (next) => {
      const query = { ...init?.params?.query, ...next }
      const { data, response } = await request('get', path, {
        ...init,
        params: { ...init?.params, query },
        parseAs: 'stream'
      })
      return new Response(data, response)
    })
  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    each: each as Mindgate['each']
  }
}

interface Init {
  params?: { query?: object }
  parseAs?: 'stream'
}

interface Answer {
  data: ReadableStream
  response: Response
}
