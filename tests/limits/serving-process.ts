// A process of its own that serves, configured by the environment like the service itself.
import { serve } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'

await serve(loadConfig(process.env))
