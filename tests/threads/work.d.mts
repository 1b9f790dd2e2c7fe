export declare function waitFor(gate: Int32Array): 'ok' | 'timed-out'
export declare function ownPriority(): number
