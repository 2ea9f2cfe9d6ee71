import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import {
  ALIASES,
  beforePaint,
  listAddresses,
  listLicences,
  preloadFont,
  screenPages,
  serverTextsNamed,
  textsByLanguage,
  VENDOR_GROUP,
} from '@bourse/web/build';
import { offlinePage } from '@bourse/web/offline';
import { apiReference } from '@bourse/web/reference';
import { ADDRESSES, OPEN_SCREENS } from './src/paths.js';

/** The exchange that `vite dev` talks to. */
const exchange = process.env['BOURSE_URL'] ?? 'http://127.0.0.1:8080';

/**
 * The socket is a WebSocket and nothing else: the transports of engine.io-client for other lines (polling,
 * WebTransport) are not loaded (decision 0097). The library has no entry without them.
 */
function webSocketAlone(): Plugin {
  return {
    name: 'websocket-alone',
    transform: {
      filter: { id: /engine\.io-client\/build\/esm\/transports\// },
      handler: (code, id) => ({
        code: id.endsWith('/index.js')
          ? 'import { WS } from "./websocket.js";\nexport const transports = { websocket: WS };\n'
          : code,
        moduleSideEffects: false,
      }),
    },
  };
}

/** Our own modules of a first visit of any page: as one file they pack better than as forty (BUDGET-002). */
const FIRST_LOAD = new RegExp(
  [
    'terminal/src/paths\\.ts$',
    'terminal/src/prefs/(storage|appearance|kept|kept-store|use-kept|time-zone)\\.ts$',
    'terminal/src/core/(api|config|feed|i18n|market|search-key|server-status|server-time|session)\\.tsx?$',
    'terminal/src/core/(fee-level|own-rate|wallet|wallet-patch|way-back|with-push|focus-symbol)\\.ts$',
    'terminal/src/core/notifications/(start|store|title-badge)\\.ts$',
    'terminal/src/parts/(feed-chip|link-button|news-text|when-near)\\.tsx?$',
    'icons/bell\\.mjs$',
    'terminal/src/features/notices/api/inbox\\.ts$',
    'libs/contract/src/lists\\.ts$',
    'terminal/src/app/(addresses|choose-language|nav|use-viewer)\\.ts$',
    'terminal/src/market/(pair/(scales|searched-pair)|chart/bar-time)\\.ts$',
    'libs/web/src/(connection|index|lazy-screen|texts|toasts)\\.ts$',
    'libs/(api-client|realtime|i18n)/src/(?!decode-private|private-shapes)[a-z-]+\\.ts$',
    'libs/ui/src/(badge|button|close-button|field|format|menu|num|skeleton|toast)\\.tsx?$',
    'libs/ui/src/(class-names|personal-text)\\.ts$',
    'terminal/src/parts/(time\\.tsx|token\\.ts)$|icons/(chart-candlestick|chevron-down|wallet)\\.mjs$',
  ].join('|'),
);

/** Modules that a market desk shows first: spot, leverage and practice share them, and forty files compress worse. */
const DESK = new RegExp(
  [
    'terminal/src/market/layout/(?!layout-menu|ticket-sheet)',
    'terminal/src/market/book/(row-pool|ladder|ladder-rows|book-bar|live-head|order-book|tapes|tape-tabs)\\.tsx?$',
    'terminal/src/market/chart/(built-in|legend|keyboard|simulated|marks|drawing-tools|intervals)\\.ts$',
    'terminal/src/market/chart/(use-(full-screen|alerts|candles|price-chart|price-place)|indicators/chosen)\\.ts$',
    'terminal/src/market/chart/(chart-bar|chart-tools|candle-view|chart-panel)\\.tsx$',
    'terminal/src/market/pair/(pair-of|use-pair|pair-bar|lazy-market-list)\\.tsx?$',
    'terminal/src/market/hotkeys/(registry|use-hotkeys|lazy-hotkey-help)\\.ts$',
    'terminal/src/market/stream/(freshness|market-block|market-source|pair-stream)\\.ts$',
    'terminal/src/market/stream/use-(freshness|pair-stream|price-title)\\.ts$',
    'libs/ui/src/slider(-steps)?\\.tsx?$|libs/money/src/compare\\.ts$',
    'terminal/src/core/(armed-keys|price-alerts|ticket/(create-ticket|share-of|use-event-once|use-ticket))\\.ts$',
    'icons/(chart-spline|maximize|minimize|move-horizontal|pencil-line|table-2)\\.mjs$',
    'icons/(keyboard|layout-panel-left)\\.mjs$',
  ].join('|'),
);

/** Our own modules that at least this many screens and lazy parts import become one file; most are below 2 kB. */
const COMMON_IMPORTERS_MIN = 11;

/** Small modules of the forms in which a person signs in, registers or sets a password, as one file. */
const SIGN_IN = new RegExp(
  'terminal/src/forms/(account-(input|name)|code-field|passkey-button|password-field|password-length|totp-field)' +
    '\\.tsx?$|terminal/src/core/passkey\\.ts$',
);

export default defineConfig({
  plugins: [
    react(),
    tailwind(),
    preloadFont(),
    beforePaint(),
    offlinePage(),
    listAddresses(ADDRESSES),
    listLicences(),
    screenPages(new URL('./src/routes.ts', import.meta.url), OPEN_SCREENS),
    apiReference(),
    webSocketAlone(),
    // The operators' own words are for their console.
    textsByLanguage((area) => area !== 'console'),
    serverTextsNamed(new URL('./src/', import.meta.url)),
  ],
  resolve: { alias: ALIASES },
  // No data: addresses for scripts or fonts: the content policy names our own origin only.
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // The parts of our own that every first visit loads are one file too.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            VENDOR_GROUP,
            { name: 'shell', test: FIRST_LOAD },
            // Small files of the home page as one; pagination and practice use its icons too.
            {
              name: 'carousel',
              test: /home\/model\/carousel\.ts$|parts\/use-news\.ts$|icons\/(chevron-(left|right)|play|pause)\.mjs$/,
            },
            { name: 'sign-in', test: SIGN_IN, includeDependenciesRecursively: false },
            // The imports of these modules stay outside: other pages load some of them without the group.
            {
              name: 'spot-ticket',
              test: /features\/spot\/(ui|model)\/[a-z-]*(ticket|side-)[a-z-]*\.tsx?$/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            { name: 'desk', test: DESK, includeDependenciesRecursively: false },
            {
              name: 'common',
              test: /terminal\/src\/(parts|forms|core)\/|libs\/(ui|web|money|formulas)\/src\/|icons\//,
              minShareCount: COMMON_IMPORTERS_MIN,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    // Under the page's own name: the exchange takes pages and demo calls of this machine by it.
    proxy: Object.fromEntries(
      ['/api', '/upi', '/walletMiddle', '/dev', '/healthz', '/readyz', '/socket.io'].map((path) => [
        path,
        { target: exchange, ws: path === '/socket.io', changeOrigin: false },
      ]),
    ),
  },
});
