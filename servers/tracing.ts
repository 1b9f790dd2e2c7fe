// Sends traces to the operator's collector: OTLP over HTTP, as JSON. Loaded only where one is configured.
import { context, propagation, trace } from '@opentelemetry/api'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler
} from '@opentelemetry/sdk-trace-node'
import { MINUTE_MS } from '../src/clock.ts'
import type { Config } from '../src/config.ts'
import type { Log } from '../src/log.ts'
import { VERSION } from '../src/version.ts'

const SEND_MS = 5_000

/** Begins to collect spans. What comes back sends the last of them, within some seconds. */
export function startTracing({ endpoint, ratio }: Config['traces'], log: Log): () => Promise<void> {
  const kept = new TraceIdRatioBasedSampler(ratio)
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'mindgate', 'service.version': VERSION }).merge(
      detectResources({ detectors: [envDetector] })
    ),
    // Who sends a request names its trace, and decides nothing.
    sampler: new ParentBasedSampler({ root: kept, remoteParentSampled: kept, remoteParentNotSampled: kept }),
    // Beyond 2,048 that wait, spans are dropped.
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_MS }),
        {
          exportTimeoutMillis: SEND_MS
        }
      )
    ]
  })
  let toldAt = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler(() => {
    if (performance.now() - toldAt < MINUTE_MS) return
    toldAt = performance.now()
    log.warn('traces can’t be sent')
  })
  provider.register()
  return async () => {
    await provider.shutdown().catch(() => undefined)
    for (const registered of [trace, context, propagation]) registered.disable()
  }
}
