// The format of generated files: as `npm run format` writes them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { root } from './clone.mjs';

const FORMATTED = /\.(ts|tsx|mjs|json|ya?ml)$/;

/**
 * A text in the format of the project. A kind of file that the project does not format stays as it is.
 * @throws Error where the text cannot be parsed
 */
export async function formatText(path, text) {
  if (!FORMATTED.test(path)) return text;
  const {
    $schema: _schema,
    ignorePatterns: _ignored,
    ...options
  } = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'));
  const { code, errors } = await format(path, text, options);
  if (errors.length > 0) throw new Error(`${path} cannot be formatted: ${errors[0].message}`);
  return code;
}
