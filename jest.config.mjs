import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'));
const libs = 'money|events|contract|messaging|persistence|platform|i18n|testing|ui|api-client|realtime';
const services = 'gateway|auth|wallet-ledger|spot-matching|market-data|notices';

export default {
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/', '/.cache/'],
  modulePathIgnorePatterns: ['/dist/', '/.data/', '/.cache/', '/.nx/'],
  extensionsToTreatAsEsm: ['.ts'],
  setupFiles: ['<rootDir>/jest.preload.mjs'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false, sourceMaps: 'inline' }] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@bourse/money/formula$': '<rootDir>/libs/money/src/formula.ts',
    '^@bourse/persistence/memory$': '<rootDir>/libs/persistence/src/memory/index.ts',
    '^@bourse/(wallet-ledger|spot-matching)/simulation$': '<rootDir>/services/$1/src/simulation.ts',
    [`^@bourse/(${libs})$`]: '<rootDir>/libs/$1/src/index.ts',
    [`^@bourse/(${services})$`]: '<rootDir>/services/$1/src/index.ts',
  },
  maxWorkers: 2,
};
