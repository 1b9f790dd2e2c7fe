// One thing wrong with a value that is otherwise right.
import fc from 'fast-check'
import { at } from '../support/fixture.ts'

/** Own keys called `__proto__` come out of JSON.parse, not out of a literal. */
const objectOf = (...entries: [string, unknown][]): unknown => Object.fromEntries(entries)

const nested = (depth: number): unknown => {
  let value: unknown = 'bottom'
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}

const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e-320,
  1e308,
  2 ** 53,
  1e21,
  '',
  ' ',
  '\u00a0',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\n',
  'a\r\nX-Injected: 1',
  '\u202eabc',
  '\ufeff',
  'x'.repeat(51),
  'x'.repeat(101),
  'x'.repeat(255),
  'x'.repeat(2_001),
  'x'.repeat(10_001),
  '😀'.repeat(60),
  'NaN',
  '1e3',
  'a@b',
  `${'a'.repeat(250)}@example.com`,
  'a@example.com\0',
  '2026-02-30T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '../../etc/passwd',
  "' or '1'='1",
  'C-',
  'c-00000000',
  [],
  [null],
  [[]],
  ['x'.repeat(101)],
  Array.from({ length: 101 }, () => 'de'),
  Array.from({ length: 5_000 }, () => 0),
  {},
  objectOf(['__proto__', { isAdmin: true }]),
  { constructor: { prototype: { isAdmin: true } } },
  { toString: 1, valueOf: 2 },
  { length: 1e9 },
  nested(40),
  nested(500)
]

const EXTRA_KEYS = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toJSON',
  '',
  ' ',
  'Email',
  'partnerId',
  'id',
  'code',
  'customerId',
  'orderStatus',
  'searchText',
  'a.b',
  '$where',
  '\0',
  '\ud800',
  'k'.repeat(300)
]

type Fault =
  | { kind: 'replace'; by: unknown }
  | { kind: 'drop' }
  | { kind: 'add'; key: string; value: unknown }
  | { kind: 'taint'; by: string }
  | { kind: 'wrap' }
  | { kind: 'repeat' }

const wrongValue = fc.constantFrom(...WRONG_VALUES)
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { arbitrary: wrongValue.map((by): Fault => ({ kind: 'replace', by })), weight: 6 },
  // What no database stores, at the end of a text that is right otherwise.
  { arbitrary: fc.constantFrom('\0', '\ud800').map((by): Fault => ({ kind: 'taint', by })), weight: 2 },
  { arbitrary: fc.constant<Fault>({ kind: 'drop' }), weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...EXTRA_KEYS), wrongValue)
      .map(([key, value]): Fault => ({ kind: 'add', key, value })),
    weight: 2
  },
  { arbitrary: fc.constantFrom<Fault>({ kind: 'wrap' }, { kind: 'repeat' }), weight: 1 }
)

/** The values with one fault somewhere in them. */
export const spoiled = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.nat(), fault).map(([value, spot, mishap]) => {
    const paths = pathsIn(value).filter(
      (path) => mishap.kind !== 'taint' || typeof at(value, ...path) === 'string'
    )
    return changeAt(value, paths[spot % paths.length] ?? [], mishap)
  })

export type Path = readonly (string | number)[]

/** Where the parts of a value are; the value itself counts as one. */
export function pathsIn(value: unknown, here: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [here]
  const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [here, ...parts.flatMap(([key, part]) => pathsIn(part, [...here, key]))]
}

const DROPPED = Symbol('dropped')

/** The value with that mishap at that place. */
export function changeAt(value: unknown, [key, ...rest]: Path, mishap: Fault): unknown {
  if (key === undefined) return changed(value, mishap)
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => (index === key ? changeAt(item, rest, mishap) : item))
    return items.filter((item) => item !== DROPPED)
  }
  const members = Object.entries(Object(value)).map(([name, part]): [string, unknown] => [
    name,
    name === key ? changeAt(part, rest, mishap) : part
  ])
  return Object.fromEntries(members.filter(([, part]) => part !== DROPPED))
}

function changed(value: unknown, mishap: Fault): unknown {
  switch (mishap.kind) {
    case 'replace':
      return mishap.by
    case 'drop':
      return DROPPED
    case 'taint':
      return typeof value === 'string' ? value + mishap.by : mishap.by
    case 'wrap':
      return [value]
    case 'repeat':
      return typeof value === 'string' ? value.repeat(40) : [value, value]
    case 'add':
      return Array.isArray(value)
        ? [...value, mishap.value]
        : Object.fromEntries([...Object.entries(Object(value)), [mishap.key, mishap.value]])
  }
}

/** What goes over the wire as a body; in strings, so that a counterexample can be read. */
export interface Body {
  text: string
  encoding: 'utf8' | 'latin1' | 'utf16le'
}

const JSON_FAULTS: readonly ((text: string) => Body)[] = [
  // The first key of the object twice.
  (text) => utf8(text.replace(/^\{("(?:[^"\\]|\\.)*"):/, '{$1:null,$1:')),
  (text) => utf8(text.slice(0, -1)),
  (text) => utf8(`${text}}`),
  (text) => utf8(text.replace(/\}$/, ',}')),
  (text) => utf8(`\ufeff${text}`),
  (text) => utf8(`/* */${text}`),
  (text) => utf8(text.replaceAll('"', "'")),
  (text) => utf8(`${' '.repeat(3_000)}${text}\n\n`),
  (text) => utf8(text.replace(/:/, ':NaN,"x":')),
  (text) => utf8(text.replace(/:/, ':1e999999,"x":')),
  (text) => utf8(text.replace(/:/, ':00,"x":')),
  () => utf8(`${'['.repeat(50_000)}`),
  () => utf8(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  () => utf8(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  () => utf8('\0'),
  (text) => ({ text: text.replace(/"/, '"\xff\xfe'), encoding: 'latin1' }),
  (text) => ({ text: text.replace(/"/, '"\xed\xa0\x80'), encoding: 'latin1' }),
  (text) => ({ text, encoding: 'utf16le' })
]

const utf8 = (text: string): Body => ({ text, encoding: 'utf8' })

/** The value as JSON, now and then with something wrong in the text itself. */
export const jsonBodies = (values: fc.Arbitrary<unknown>, faultsIn10: number): fc.Arbitrary<Body> => {
  // What can't be written as JSON (a dropped body) is no body.
  const right = values.map((value) => utf8(typeof value === 'symbol' ? '' : JSON.stringify(value)))
  return fc.oneof(
    { arbitrary: right, weight: 10 - faultsIn10 },
    {
      arbitrary: fc.tuple(right, fc.constantFrom(...JSON_FAULTS)).map(([{ text }, spoil]) => spoil(text)),
      weight: faultsIn10
    }
  )
}
