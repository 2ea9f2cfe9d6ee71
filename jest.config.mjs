import { readdirSync, readFileSync } from 'node:fs';
import { readManifests } from './tools/lib/manifests.mjs';

const swc = JSON.parse(readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'));
const libs = readdirSync(new URL('./libs/', import.meta.url)).join('|');
const manifests = readManifests();
/** Sources of the services under the names of their packages; an entry beside `index` bears its own name. */
const services = manifests.flatMap(({ name, dir, simulation }) => [
  [`^@bourse/${name}$`, `<rootDir>/${dir}/src/index.ts`],
  ...(simulation ? [[`^@bourse/${name}/simulation$`, `<rootDir>/${dir}/src/simulation.ts`]] : []),
]);

export default {
  testEnvironment: '<rootDir>/tools/lib/jest/environment.mjs',
  // Kinds of files that leave nothing behind for the next file of their worker; the others have a realm each.
  testEnvironmentOptions: { sharedRealm: '\\.(unit|property|int)\\.test\\.ts$' },
  runtime: '<rootDir>/tools/lib/jest/runtime.mjs',
  cacheDirectory: '<rootDir>/.cache/jest',
  injectGlobals: false,
  testMatch: ['**/*.test.ts'],
  // Tests in a real browser run by Playwright (playwright.config.mjs).
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/', '/.cache/', '\\.browser\\.test\\.ts$'],
  modulePathIgnorePatterns: ['/dist/', '/.data/', '/.cache/', '/.nx/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false, sourceMaps: 'inline' }] },
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/tools/lib/jest/fast-check.mjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@bourse/formulas/exact$': '<rootDir>/libs/formulas/src/exact.ts',
    '^@bourse/platform/turns$': '<rootDir>/libs/platform/src/turns.ts',
    // Tests that speak to an exchange by its address need no more of the library, and load nothing of the exchange.
    '^@bourse/testing/eventually$': '<rootDir>/libs/testing/src/eventually.ts',
    '^@bourse/persistence/memory$': '<rootDir>/libs/persistence/src/memory/index.ts',
    // Parts are drawn by browsers alone; what pure code takes of the library is its texts of numbers.
    '^@bourse/ui$': '<rootDir>/libs/ui/src/format.ts',
    '^@bourse/web/testing$': '<rootDir>/libs/web/testing/index.ts',
    [`^@bourse/(${libs})$`]: '<rootDir>/libs/$1/src/index.ts',
    ...Object.fromEntries(services),
  },
  maxWorkers: 2,
};
