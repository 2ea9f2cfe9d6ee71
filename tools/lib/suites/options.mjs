// The arguments of `npm test`.
import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm test -- [options] [suite or file …]

Runs every check that a change must pass. A suite is named by its name, a file by its path or a part of it.

  --full            all suites with all their files; npm run test:full
  --affected        only the files of projects that the change since the base affects
  --base <commit>   what the change is compared with (NX_BASE, the merge base with origin/main, or the commit before)
  --repeat <n>      runs the named files n times in a row, and says how often each failed
  --allow-missing   skips what needs a program that this machine lacks, instead of ending before the first suite

docs/testing.md says what each suite proves and when it runs.`;

/** An unknown argument of `npm test`, with the sentence for the user. */
export class UsageError extends Error {}

/**
 * Reads the arguments. A word that is the name of a suite is one; every other word must occur in the path of a test
 * file.
 *
 * @param {readonly string[]} args
 * @param {{ suites: readonly string[], files: readonly string[] }} known names of suites and paths of all test files
 * @throws UsageError
 */
export function readOptions(args, known) {
  const { values, positionals } = parse(args);
  const suites = positionals.filter((word) => known.suites.includes(word));
  const parts = positionals.filter((word) => !known.suites.includes(word)).map((word) => word.replace(/^\.\//, ''));
  for (const part of parts)
    if (!known.files.some((file) => file.includes(part)))
      throw new UsageError(
        `No suite and no test file is called ${part}. The suites are: ${known.suites.join(', ')}.\n\n${USAGE}`,
      );
  const repeat = Number(values.repeat ?? 1);
  if (!Number.isInteger(repeat) || repeat < 1)
    throw new UsageError(`--repeat takes a whole number of runs.\n\n${USAGE}`);
  if (repeat > 1 && parts.length === 0) throw new UsageError(`--repeat needs the files to repeat.\n\n${USAGE}`);
  if (values.full && values.affected) throw new UsageError(`--full and --affected exclude each other.\n\n${USAGE}`);
  return {
    help: values.help,
    full: values.full,
    affected: values.affected,
    base: values.base,
    allowMissing: values['allow-missing'],
    repeat,
    suites,
    parts,
  };
}

/** Options that hold before the packages are installed, when the test files are not listed yet. */
export const readEarlyOptions = (args) => parse(args).values;

function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        full: { type: 'boolean', default: false },
        affected: { type: 'boolean', default: false },
        base: { type: 'string' },
        repeat: { type: 'string' },
        'allow-missing': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS_')) throw error;
    throw new UsageError(`${error.message.split('. ')[0]}.\n\n${USAGE}`);
  }
}
