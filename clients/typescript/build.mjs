// Builds dist/: types from the service's OpenAPI document, and the client's own few files.
// The generated ones, 13,000 lines, are not kept in git: nobody reads a change of them that doesn't stand in schemas/.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { tsImport } from 'tsx/esm/api'
import ts from 'typescript'

const here = import.meta.dirname
const root = join(here, '../..')

const service = (file) => tsImport(join(root, file), import.meta.url)
const { documentRest, openApiDocument } = await service('servers/rest/openapi.ts')
const { REST_PREFIX, restRoutes } = await service('servers/rest/routes.ts')
const { operations } = await service('src/operations.ts')

/** Paths as docs and reference name them: relative to the API's prefix. */
const document = openApiDocument(documentRest(restRoutes(operations)))
document.paths = Object.fromEntries(
  Object.entries(document.paths).map(([path, entry]) => [path.slice(REST_PREFIX.length), entry])
)

writeFileSync(join(here, 'src/openapi.ts'), (await typesOf(document)) + codesOf(document))
rmSync(join(here, 'dist'), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', here], {
  stdio: 'inherit'
})
if (status !== 0) throw new Error('The TypeScript client does not compile.')

async function typesOf(schema) {
  const blob = ts.factory.createTypeReferenceNode('Blob')
  const ast = await openapiTypescript(schema, {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    transform: ({ format }) => (format === 'binary' ? blob : undefined)
  })
  return astToString(ast)
}

/** The codes of all refusals, which the document has as the names of their examples. */
function codesOf({ paths }) {
  const codes = Object.values(paths)
    .flatMap((entry) => Object.values(entry))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => Object.keys(content['application/json']?.examples ?? {}))
  return `export type ErrorCode = ${[...new Set(codes)].map((code) => `'${code}'`).join(' | ')}\n`
}
