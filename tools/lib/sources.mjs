// Runs TypeScript sources as they are, without a build: every `@bourse/…` resolves to its `src`. With PLANTED (JSON of
// {file, find, replace}) one file is changed when it is loaded, not on disk (docs/proofs/planted-defects.md).
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, relative, resolve as resolvePath, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';

const root = resolvePath(dirname(fileURLToPath(import.meta.url)), '..', '..');
const swc = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
const planted = process.env.PLANTED ? JSON.parse(process.env.PLANTED) : null;

/** Source file of an `@bourse/<package>[/<entry>]`, by the entry's name in the package's exports. */
function sourceOf(specifier) {
  const [, name, entry = '.'] = /^@bourse\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  for (const group of ['libs', 'services', 'apps', 'examples']) {
    const folder = join(root, group, name);
    if (!existsSync(join(folder, 'package.json'))) continue;
    const built = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).exports[
      entry === '.' ? '.' : `./${entry}`
    ]?.default;
    if (built) return join(folder, built.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));
  }
  throw new Error(`${specifier} is no package of this workspace`);
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@bourse/')) return { url: pathToFileURL(sourceOf(specifier)).href, shortCircuit: true };
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
      const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(url)) return { url: url.href, shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(url);
    let source = readFileSync(filename, 'utf8');
    if (planted && relative(root, filename).split(sep).join('/') === planted.file) {
      if (source.split(planted.find).length !== 2)
        throw new Error(`${planted.file} does not contain once: ${planted.find}`);
      source = source.replace(planted.find, () => planted.replace);
    }
    const { code } = transformSync(source, { ...swc, swcrc: false, filename, sourceMaps: 'inline' });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
