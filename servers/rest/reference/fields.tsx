// Lists of fields: name, type, whether it is required, what it means, and what is inside of it.
import type { FC } from 'hono/jsx'
import { asSchema, itemsOf, type JsonSchema, partsOf } from '../../json-schema.ts'
import { type Components, componentOf, resolve } from '../components.ts'
import { InlineText } from './parts.tsx'

/** The fields of an object; `marksRequired` for what callers send, since answers hold every field. */
export const FieldList: FC<{ schema: JsonSchema; components: Components; marksRequired?: boolean }> = ({
  schema: { properties, required },
  components,
  marksRequired = false
}) => (
  <ul class="fields">
    {partsOf(properties).map(([name, schema]) => {
      const inner = innerObject(schema, components)
      return (
        <li>
          <p class="field-head">
            <code class="field-name">{name}</code>
            <span class="field-type">{typeOf(schema, components)}</span>
            {marksRequired && required?.includes(name) ? <span class="field-mark">required</span> : null}
          </p>
          <p class="field-text">
            <InlineText text={[schema.description, ...limitsOf(schema)].filter(Boolean).join(' ')} />
          </p>
          {inner ? (
            <details>
              <summary>
                {Object.keys(inner.properties ?? {}).length} fields<span class="sr"> of {name}</span>
              </summary>
              <FieldList schema={inner} components={components} marksRequired={marksRequired} />
            </details>
          ) : null}
        </li>
      )
    })}
  </ul>
)

/** The object that a field holds, or that each item of its list is. */
function innerObject(schema: JsonSchema, components: Components): JsonSchema | undefined {
  const resolved = resolve(schema, components)
  const object = resolve(itemsOf(resolved) ?? resolved, components)
  return object.properties ? object : undefined
}

function typeOf(schema: JsonSchema, components: Components): string {
  const resolved = resolve(schema, components)
  const items = itemsOf(resolved)
  if (items) return withNull(`array of ${componentOf(items) ?? `${typeOf(items, components)}s`}`, resolved)
  if (resolved.format === 'date-time') return withNull('timestamp', resolved)
  if (resolved.anyOf) return resolved.anyOf.map((part) => typeOf(asSchema(part), components)).join(' or ')
  const type = Array.isArray(resolved.type) ? resolved.type.find((one) => one !== 'null') : resolved.type
  return withNull(type ?? typeof resolved.const, resolved)
}

const withNull = (type: string, schema: JsonSchema): string =>
  Array.isArray(schema.type) && schema.type.includes('null') ? `${type} or null` : type

function limitsOf(schema: JsonSchema): string[] {
  const { enum: values, default: fallback, minimum, maximum, exclusiveMinimum, maxLength, maxItems } = schema
  const from = minimum ?? (typeof exclusiveMinimum === 'number' ? exclusiveMinimum : undefined)
  return [
    values ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '',
    fallback === undefined ? '' : `Default \`${JSON.stringify(fallback).replaceAll('"', '')}\`.`,
    from !== undefined && maximum !== undefined && maximum < 1_000_000 ? `${from} to ${maximum}.` : '',
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    maxItems === undefined ? '' : `At most ${maxItems} items.`
  ].filter(Boolean)
}
