import { readFileSync } from 'node:fs';

/** Version of this program, from its package: all packages of a release have the same one. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string }
).version;
