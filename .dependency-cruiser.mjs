import { readManifests } from './tools/lib/manifests.mjs';

const services = readManifests()
  .map(({ name }) => name)
  .join('|');

/** Folders of adapters: under `adapters/` of a service, or beside the other layers of a product. */
const adapters = `/adapters/|^services/.+/(${[
  'crypto',
  'delivery',
  'http',
  'images',
  'keys',
  'messaging',
  'metrics',
  'networks',
  'persistence',
  'program',
  'simulation',
  'socket',
].join('|')})/`;

/** Products of a folder that has several, each with those that it is built on. */
const PRODUCTS = {
  'auth/src': {
    shared: [],
    security: ['shared'],
    profile: ['security', 'shared'],
    identity: ['profile', 'shared'],
    'sign-in': ['profile', 'security', 'shared'],
    operators: ['identity', 'profile', 'security', 'shared'],
    asks: ['operators', 'profile', 'security', 'shared', 'sign-in'],
  },
  'c2c-escrow/src': {
    shared: [],
    deals: ['shared'],
    acceptors: ['shared'],
    chat: ['deals', 'shared'],
    shops: ['deals', 'shared'],
    appeals: ['chat', 'deals', 'shared'],
    audit: ['acceptors', 'deals', 'shared'],
  },
  'gateway/src': {
    shared: [],
    breakers: ['shared'],
    'sign-in': ['shared'],
    outages: ['breakers', 'shared'],
    reconciliation: ['breakers', 'shared'],
    edge: ['breakers', 'outages', 'reconciliation', 'shared', 'sign-in'],
    sockets: ['edge', 'shared', 'sign-in'],
    uploads: ['edge', 'shared'],
    operations: ['breakers', 'edge', 'outages', 'reconciliation', 'shared', 'sockets', 'uploads'],
  },
  'micro-settlement/src': {
    shared: [],
    ticks: ['shared'],
    insurance: ['shared'],
    contracts: ['insurance', 'shared', 'ticks'],
    audit: ['contracts', 'shared'],
  },
  'points/src': {
    shared: [],
    points: ['shared'],
    team: ['shared'],
  },
  'wallet-ledger/src/wallet': {
    shared: [],
    balances: ['shared'],
    chains: ['shared'],
    reports: ['shared'],
    addresses: ['chains', 'shared'],
    withdrawals: ['addresses', 'chains', 'shared'],
    deposits: ['balances', 'chains', 'shared', 'withdrawals'],
    treasury: ['chains', 'shared', 'withdrawals'],
    audit: ['shared'],
  },
};
const productOrder = Object.entries(PRODUCTS).flatMap(([folder, products]) =>
  Object.entries(products).map(([product, below]) => ({
    name: 'products-in-order',
    severity: 'error',
    comment: 'A product of a service imports only products that it is built on; it reaches others through ports.',
    from: { path: `(^|/)${folder}/${product}/` },
    to: { path: `(^|/)${folder}/[a-z-]+/`, pathNot: `(^|/)${folder}/(${[product, ...below].join('|')})/` },
  })),
);

/** The sources of the terminal and the console, and the small terminal whose every file breaks a rule. */
const page = '^apps/(?:terminal|console)/(?:src|test/fixtures/forbidden-rooms)';

/** Layers and cycles inside projects; eslint.config.mjs has the rules between kinds of projects. */
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
          '/application/',
          adapters,
        ],
      },
    },
    {
      name: 'only-tests-import-testing',
      severity: 'error',
      comment: 'Clocks, databases and waits of tests belong to no program.',
      from: { path: '/src/', pathNot: '\\.test\\.tsx?$|/test/(?!fixtures/)|^libs/testing/' },
      to: { path: '^(libs|node_modules/@bourse|@bourse)/testing(/|$)' },
    },
    {
      name: 'application-knows-no-adapter',
      severity: 'error',
      comment: 'Use cases name ports; adapters implement them.',
      from: { path: '/application/', pathNot: '\\.test\\.ts$' },
      to: { path: adapters },
    },
    {
      name: 'the-ledger-knows-no-wallet',
      severity: 'error',
      comment: 'The wallet is built on the ledger. The ledger reaches it through ports of its own.',
      from: { path: '(^|/)wallet-ledger/src/ledger/' },
      to: { path: '(^|/)wallet-ledger/src/wallet/' },
    },
    ...productOrder,
    {
      name: 'no-service-imports-a-service',
      severity: 'error',
      comment: 'Services meet through events, asks and calls.',
      from: { path: '^(?:services|examples)/([^/]+)/' },
      to: {
        path: `^(services|examples|node_modules/@bourse|@bourse)/(${services})(/|$)`,
        pathNot: '^(services|examples|node_modules/@bourse|@bourse)/$1(/|$)',
      },
    },
    {
      name: 'only-the-exchange-joins-services',
      severity: 'error',
      comment:
        'apps/exchange is the one place where all services come together; ' +
        'the simulator takes those it runs from a list that is written from the manifests.',
      from: { pathNot: '^(services|examples|apps/exchange)/|^apps/simulation/src/services\\.generated\\.ts$' },
      to: {
        path: `^(services|examples|node_modules/@bourse|@bourse)/(${services})(/|$)`,
      },
    },
    {
      name: 'clients-take-turns-alone',
      severity: 'error',
      comment:
        'The published client and the FIX gateway, a program of it, share the turns of requests with the platform.',
      from: { path: '^(apps/fix|libs/sdk)/src/' },
      to: { path: '^(libs|node_modules/@bourse|@bourse)/platform(/|$)', pathNot: '/turns(\\.|$)' },
    },
    {
      name: 'features-do-not-mix',
      severity: 'error',
      comment: 'app/ joins features; what two of them need belongs into market/, deals/, parts/ or core/.',
      from: { path: `${page}/features/([^/]+)/` },
      to: { path: `${page}/features/`, pathNot: `${page}/features/$1/` },
    },
    {
      name: 'rooms-know-no-feature',
      severity: 'error',
      comment: 'The shared rooms of a page serve every feature and know none.',
      from: { path: `${page}/(core|prefs|forms|parts|market|deals)/` },
      to: { path: `${page}/(features|app)/` },
    },
    {
      name: 'core-knows-no-room',
      severity: 'error',
      comment: 'Rooms are built on the core of their page.',
      from: { path: `${page}/(core|prefs)/` },
      to: { path: `${page}/(forms|parts|market|deals)/` },
    },
    {
      name: 'browser-stays-browser',
      severity: 'error',
      comment: 'The browser gets no server code.',
      from: { path: '^(apps/(terminal|console)/src|libs/(ui|web|api-client|realtime)/src)/', pathNot: '\\.test\\.ts$' },
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
