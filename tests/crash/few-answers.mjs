// Loaded before a service that will be killed: ANSWERS of its answers leave it and no other does, so that the kill
// always meets requests that were never answered, however slow the machine is.
import { ServerResponse } from 'node:http'

let left = Number(process.env.ANSWERS)
const leaving = new WeakSet()
const held = new WeakSet()

function isHeld(response) {
  if (!leaving.has(response) && !held.has(response)) {
    if (left > 0) leaving.add(response)
    else held.add(response)
    left -= 1
  }
  return held.has(response)
}

for (const name of ['writeHead', 'flushHeaders', 'write', 'end']) {
  const send = ServerResponse.prototype[name]
  ServerResponse.prototype[name] = function (...given) {
    return isHeld(this) ? this : send.apply(this, given)
  }
}
