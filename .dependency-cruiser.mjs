/** Layers and cycles. Kinds of projects are fenced by eslint.config.mjs; what lies inside a project is fenced here. */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that need each other are one file, or a third is missing.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'type-import', 'dynamic-import'] } },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'Rules know no framework, database, log or network.',
      from: { path: '/domain/', pathNot: '\\.test\\.ts$' },
      to: {
        path: [
          'node_modules/@nestjs/',
          'node_modules/(typeorm|kafkajs|pg|redis|fastify|rxjs|socket\\.io|pino)/',
          '^(libs|node_modules/@bourse|@bourse)/(messaging|persistence|platform)(/|$)',
          '/(adapters|application)/',
        ],
      },
    },
    {
      name: 'application-knows-no-adapter',
      severity: 'error',
      comment: 'Use cases name ports; adapters implement them.',
      from: { path: '/application/', pathNot: '\\.test\\.ts$' },
      to: { path: '/adapters/' },
    },
    {
      name: 'no-service-imports-a-service',
      severity: 'error',
      comment: 'Services meet through events, asks and calls.',
      from: { path: '^services/([^/]+)/' },
      to: {
        path: '^(services|node_modules/@bourse|@bourse)/(gateway|auth|wallet-ledger|spot-matching|market-data|notices)(/|$)',
        pathNot: '^(services|node_modules/@bourse|@bourse)/$1(/|$)',
      },
    },
    {
      name: 'only-the-exchange-joins-services',
      severity: 'error',
      comment:
        'apps/exchange is the one place where all services come together; apps/simulation runs what of them moves money.',
      from: { pathNot: '^(services|apps/(exchange|simulation))/' },
      to: {
        path: '^(services|node_modules/@bourse|@bourse)/(gateway|auth|wallet-ledger|spot-matching|market-data|notices)(/|$)',
      },
    },
    {
      name: 'features-do-not-mix',
      severity: 'error',
      comment: 'app/ joins features; a feature does not import another.',
      from: { path: '^apps/terminal/src/features/([^/]+)/' },
      to: { path: '^apps/terminal/src/features/', pathNot: '^apps/terminal/src/features/$1/' },
    },
    {
      name: 'browser-stays-browser',
      severity: 'error',
      comment: 'The browser gets no server code.',
      from: { path: '^(apps/terminal/src|libs/(ui|api-client|realtime)/src)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: [
          'node_modules/@nestjs/',
          'node_modules/(typeorm|kafkajs|pg|redis|fastify)/',
          '^(libs|node_modules/@bourse|@bourse)/(messaging|persistence|platform|events)(/|$)',
        ],
      },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    // The forbidden fixtures are cruised only by the check that they are rejected.
    exclude: { path: process.env.BOURSE_LINT_FIXTURES ? '^$' : '/fixtures/forbidden-' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
