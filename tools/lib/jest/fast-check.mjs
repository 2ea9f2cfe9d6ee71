// fast-check as property tests import it: seeds follow the date (`TEST_DAY`), and the full run draws more cases.
import * as library from '../../../node_modules/fast-check/lib/fast-check.js';
import { countRuns, readSeed } from './runs-of-properties.mjs';

const seed = readSeed(process.env);
if (seed !== undefined) library.configureGlobal({ ...library.readConfigureGlobal(), seed });

/** fast-check's `assert` with the number of runs that this test run wants. */
export const assert = (property, parameters) =>
  library.assert(property, { ...parameters, numRuns: countRuns(parameters, process.env) });

export * from '../../../node_modules/fast-check/lib/fast-check.js';
export default { ...library.default, assert };
