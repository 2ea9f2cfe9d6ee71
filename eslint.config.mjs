import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const web = ['apps/{terminal,console}/**/*.{ts,tsx}', 'libs/{ui,web,api-client,realtime,sdk}/**/*.{ts,tsx}'];
const webTests = [
  'apps/{terminal,console}/**/*.test.ts',
  'apps/{terminal,console}/test/**/*.ts',
  'apps/{terminal,console}/*.ts',
  'libs/web/build/*.ts',
  'libs/{ui,web,api-client,realtime,sdk}/**/*.test.ts',
];

/** Which kind of project may import which: the picture in docs/architecture.md, as a fence. */
const boundaries = [
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
  {
    sourceTag: 'type:web-lib',
    onlyDependOnLibsWithTags: ['type:web-lib', 'scope:contract', 'scope:money', 'scope:formulas', 'scope:i18n'],
  },
  { sourceTag: 'type:service', onlyDependOnLibsWithTags: ['type:lib'] },
  {
    sourceTag: 'type:web-app',
    onlyDependOnLibsWithTags: [
      'type:web-lib',
      'scope:contract',
      'scope:money',
      'scope:formulas',
      'scope:i18n',
      'scope:verify',
    ],
  },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib', 'type:service'] },
  { sourceTag: 'scope:money', onlyDependOnLibsWithTags: ['scope:money'] },
  { sourceTag: 'scope:formulas', onlyDependOnLibsWithTags: ['scope:formulas', 'scope:money'] },
  // The verifier of receipts counts apart from all that settles.
  { sourceTag: 'scope:verify', onlyDependOnLibsWithTags: ['scope:verify'] },
  { sourceTag: 'scope:contract', onlyDependOnLibsWithTags: ['scope:contract', 'scope:money'] },
  {
    sourceTag: 'scope:events',
    onlyDependOnLibsWithTags: ['scope:events', 'scope:money', 'scope:contract', 'scope:testing'],
  },
];

export default tseslint.config(
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
    extends: [eslint.configs.recommended],
    plugins: { '@nx': nx },
    // Prettier leaves comments, titles and strings as long as they are; nobody reviews what is beyond the edge.
    rules: { 'max-len': ['error', { code: 120, tabWidth: 2, ignoreUrls: true, ignoreRegExpLiterals: true }] },
  },
  {
    // The text of a migration that has landed is hashed: it stays as it is.
    files: [
      'services/*/src/**/*migrations.ts',
      'services/gateway/src/adapters/persistence/gateway-database.ts',
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
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
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
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // An assertion that changes nothing is often there for the reader (a brand, a row's shape); it can hide no
      // mistake.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      // Objects of functions (hooks, formatters, rules) are taken apart on purpose here.
      '@typescript-eslint/unbound-method': 'off',
      // It does not know that a branded bigint is a bigint.
      '@typescript-eslint/no-unsafe-unary-minus': 'off',
      // Ports are abstract classes with async methods; an adapter that needs no await is still a promise.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-globals': ['error', { name: 'parseFloat', message: 'Amounts are exact: use @bourse/money.' }],
      'no-restricted-properties': [
        'error',
        { object: 'Number', property: 'parseFloat', message: 'Amounts are exact: use @bourse/money.' },
      ],
      eqeqeq: 'error',
    },
  },
  {
    // Nest builds constructors' tokens from values: a type-only import would lose them.
    files: ['services/**/*.ts', 'apps/exchange/**/*.ts', 'libs/{platform,messaging,persistence,settings}/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    // Same input, same output. Calendar arithmetic on a given instant is fine, the clock of the machine is not.
    files: ['**/domain/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'parseFloat',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'process',
        'fetch',
        'crypto',
        'performance',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random' },
        { object: 'Date', property: 'now' },
        { object: 'Number', property: 'parseFloat' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Time is an argument.' },
      ],
    },
  },
  { files: web, plugins: { 'react-hooks': reactHooks }, rules: { 'react-hooks/rules-of-hooks': 'error' } },
  {
    files: webTests,
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
  },
  {
    files: ['**/*.test.ts', '**/*-suite.ts', '**/test/**/*.ts'],
    rules: {
      // What comes over the wire is unknown on purpose, and the assertions say what it must be.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-restricted-globals': 'off',
    },
  },
);
