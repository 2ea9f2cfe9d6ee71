// What oxlint does not know yet: which project may import which, long lines, and what no syntax tree of its own tells.
// The other rules, those that read types among them, stand in .oxlintrc.json.
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Which kind of project may import which: the picture in docs/architecture.md, as a fence. */
const boundaries = [
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
  {
    sourceTag: 'type:web-lib',
    onlyDependOnLibsWithTags: [
      'type:web-lib',
      'scope:contract',
      'scope:money',
      'scope:formulas',
      'scope:i18n',
      'scope:testing',
      // For the SDK, which takes the turns of requests alone (clients-take-turns-alone, browser-stays-browser).
      'scope:platform',
    ],
  },
  { sourceTag: 'type:service', onlyDependOnLibsWithTags: ['type:lib'] },
  {
    sourceTag: 'type:web-app',
    onlyDependOnLibsWithTags: [
      'type:web-lib',
      'scope:contract',
      'scope:money',
      'scope:formulas',
      'scope:matching',
      'scope:i18n',
      'scope:verify',
      // Tests alone: dependency-cruiser refuses it in sources (only-tests-import-testing).
      'scope:testing',
    ],
  },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib', 'type:service'] },
  // The FIX gateway knows the exchange as any program does: by its published client. Of the platform it takes the turns
  // of requests alone (clients-take-turns-alone).
  { sourceTag: 'scope:fix', onlyDependOnLibsWithTags: ['scope:sdk', 'scope:money', 'scope:platform'] },
  { sourceTag: 'scope:money', onlyDependOnLibsWithTags: ['scope:money'] },
  { sourceTag: 'scope:formulas', onlyDependOnLibsWithTags: ['scope:formulas', 'scope:money'] },
  {
    sourceTag: 'scope:matching',
    onlyDependOnLibsWithTags: ['scope:matching', 'scope:contract', 'scope:formulas', 'scope:money'],
  },
  // The verifier of receipts counts apart from all that settles.
  { sourceTag: 'scope:verify', onlyDependOnLibsWithTags: ['scope:verify'] },
  { sourceTag: 'scope:contract', onlyDependOnLibsWithTags: ['scope:contract', 'scope:money'] },
  {
    sourceTag: 'scope:events',
    onlyDependOnLibsWithTags: ['scope:events', 'scope:money', 'scope:contract', 'scope:testing'],
  },
];

export default [
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/.cache/**',
      '**/.data/**',
      '**/.nx/**',
      '**/fixtures/forbidden-*/**',
      'coverage/**',
    ],
  },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    languageOptions: { parser: tseslint.parser },
    plugins: { '@nx': nx },
    rules: {
      // The formatter leaves comments, titles and strings as long as they are; nobody reviews what is beyond the edge.
      'max-len': ['error', { code: 120, tabWidth: 2, ignoreUrls: true, ignoreRegExpLiterals: true }],
      // oxlint's rule of this name reports a variable that the next round of a loop reads.
      'no-useless-assignment': 'error',
    },
  },
  {
    // The text of a migration that has landed is hashed: it stays as it is.
    files: [
      'services/*/src/**/*migrations.ts',
      'services/gateway/src/shared/persistence/gateway-database.ts',
      'libs/persistence/src/migrations/library-tables.ts',
    ],
    rules: { 'max-len': 'off' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'Buffer',
          'fetch',
          'AbortSignal',
          'URL',
          'URLSearchParams',
          'setTimeout',
          'setInterval',
          'clearTimeout',
          'clearInterval',
          'performance',
          'WebSocket',
          'TextEncoder',
          'TextDecoder',
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: { 'no-undef': 'error' }, // in TypeScript the types tell
  },
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          depConstraints: boundaries,
          allow: [],
          // Only tests import @bourse/testing, which prepares databases and messages for them.
          ignoredCircularDependencies: [
            ['@bourse/testing', '@bourse/persistence'],
            ['@bourse/testing', '@bourse/messaging'],
            ['@bourse/testing', '@bourse/platform'],
            ['@bourse/testing', '@bourse/events'],
          ],
          enforceBuildableLibDependency: false,
          banTransitiveDependencies: false,
        },
      ],
    },
  },
  {
    // Same input, same output. Calendar arithmetic on a given instant is fine, the clock of the machine is not.
    files: ['**/domain/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Time is an argument.' },
      ],
    },
  },
];
