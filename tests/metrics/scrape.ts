import type { TestServer } from '../support/http.ts'

export const METRICS_TOKEN = 'a-token-for-the-metrics'

/** What `/metrics` prints. */
export async function scrape({ url }: TestServer): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  return (await fetch(`${url}/metrics`, { headers })).text()
}

/** The value of a series; 0 where it isn't told. Labels stand in their order. */
export function seriesOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}
