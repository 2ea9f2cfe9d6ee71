// The same tests over sources in which one mistake is planted; used by tools/planted.mjs.
import base from './jest.config.mjs';

const [pattern, [, options]] = Object.entries(base.transform)[0];
export default { ...base, transform: { [pattern]: ['<rootDir>/tools/lib/planted-transform.mjs', options] } };
