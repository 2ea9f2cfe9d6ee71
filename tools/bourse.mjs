#!/usr/bin/env node
// `npx bourse <command>`, in the image `bourse <command>`: the tools of an exchange under one name. In a clone it runs
// on Node 20 too, until it has installed what it needs; in the image nothing is installed or built.
import { fileURLToPath } from 'node:url';
import { become, ensureBuilt, ensureInstalled, isDevelopmentClone, underNode24 } from './lib/clone.mjs';

const args = process.argv.slice(2);
if (isDevelopmentClone) await ensureInstalled();
if (!underNode24()) become([fileURLToPath(import.meta.url), ...args]);
const { commands } = await import('./lib/commands.mjs');
await commands({ prepare: async () => (isDevelopmentClone ? ensureBuilt([]) : undefined) }).parseAsync(args, {
  from: 'user',
});
