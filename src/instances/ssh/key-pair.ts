import ssh2 from 'ssh2'

/**
 * A new Ed25519 key pair in OpenSSH's formats, the private one not encrypted: it is for sealing.
 * @param comment a word that tells a server's owner whose key it is
 */
export function makeKeyPair(comment: string) {
  if (!/^[\x21-\x7e]+$/.test(comment)) throw new RangeError('A key’s comment is one word of ASCII')
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
    if (isSound(pair)) return { publicKey: pair.public, privateKey: pair.private }
  }
}

/** The generator makes one in some 300 wrong: of a key that begins with a zero byte it leaves that out. */
function isSound(pair: Record<'private' | 'public', string>): boolean {
  const text = Buffer.from('What one half signs, the other one verifies.')
  const [signing, verifying] = [ssh2.utils.parseKey(pair.private), ssh2.utils.parseKey(pair.public)]
  if (signing instanceof Error || verifying instanceof Error) return false
  const signature = signing.sign(text)
  return !(signature instanceof Error) && verifying.verify(text, signature) === true
}
