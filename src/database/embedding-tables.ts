// Row types of what memories mean to an embedding model.

/** Of the model that the Mind's job of kind `embed` names, as long as it names one. */
export interface EmbeddingTable {
  mindKey: number
  /** So many neighbouring memories' vectors lie in one row, see src/memory/embedded/embeddings/block.ts. */
  block: number
  vectors: Uint8Array
}

export interface EmbeddingTables {
  embedding: EmbeddingTable
}
