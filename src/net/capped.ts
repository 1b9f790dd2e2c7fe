export interface Cap {
  maxBytes: number
  refusal(): Error
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** The chunks as they come. Whoever refuses one leaves the loop, which ends a body and closes its connection. */
export async function* capped(chunks: Chunks, { maxBytes, refusal }: Cap): AsyncGenerator<Uint8Array, void> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > maxBytes) throw refusal()
    yield chunk
  }
}

export async function readCapped(chunks: Chunks, cap: Cap): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  for await (const part of capped(chunks, cap)) parts.push(part)
  return Buffer.concat(parts)
}
