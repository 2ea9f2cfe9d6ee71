// Arguments of the programs that are run through npm; those of `bourse` are in commands.mjs.
import { parseArgs } from 'node:util';
import { fail } from './clone.mjs';

/**
 * The arguments of this process, as `parseArgs` reads them. `--help` prints the usage and exits with 0; an unknown
 * argument exits with 1, with a sentence and the usage, or calls `refuse`.
 */
export function readArguments(usage, config, refuse = (sentence) => fail(`${sentence}\n\n${usage}`)) {
  const asked = { ...config, options: { ...config.options, help: { type: 'boolean', short: 'h' } } };
  let read;
  try {
    read = parseArgs(asked);
  } catch (error) {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS_')) throw error;
    return refuse(`${error.message.split('. ')[0]}.`);
  }
  if (read.values.help) {
    console.log(usage);
    process.exit(0);
  }
  return read;
}
