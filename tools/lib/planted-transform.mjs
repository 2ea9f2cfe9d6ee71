// Jest's transform for planted defects: one file is changed on its way into the test, on no disk
// (docs/proofs/planted-defects.md).
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import swcJest from '@swc/jest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const planted = process.env.PLANTED ? JSON.parse(process.env.PLANTED) : null;

function change(source, filename) {
  if (!planted || relative(root, filename).split(sep).join('/') !== planted.file) return source;
  if (source.split(planted.find).length !== 2)
    throw new Error(`${planted.file} does not contain once: ${planted.find}`);
  return source.replace(planted.find, () => planted.replace);
}

export default {
  createTransformer(options) {
    const swc = swcJest.createTransformer(options);
    return {
      ...swc,
      process: (source, filename, more) => swc.process(change(source, filename), filename, more),
      processAsync: (source, filename, more) => swc.processAsync(change(source, filename), filename, more),
      getCacheKey: (source, filename, more) => swc.getCacheKey(change(source, filename), filename, more),
    };
  },
};
