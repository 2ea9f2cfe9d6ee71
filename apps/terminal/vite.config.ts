import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { ADDRESSES } from './src/paths.js';

const source = (path: string): string => fileURLToPath(new URL(`../../libs/${path}`, import.meta.url));
/** The exchange that `vite dev` talks to. */
const exchange = process.env['BOURSE_URL'] ?? 'http://127.0.0.1:3000';

/** One font before paint: the Latin cut of Inter; the other cuts load when a page needs their letters. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /inter-latin-wght-normal-.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** The addresses that have a screen, for the gateway: it answers all others with 404. */
function listAddresses(): Plugin {
  return {
    name: 'list-addresses',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'addresses.json', source: JSON.stringify(ADDRESSES) });
    },
  };
}

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

/**
 * Of the server's texts the page gets those that its code names, whole or by a prefix: forms say the same words before
 * they send. The others come with answers, in the reader's language, and most of them are no business of a form.
 */
function serverTextsNamed(): Plugin {
  const here = fileURLToPath(new URL('./src/', import.meta.url));
  let code: string | undefined;
  const read = (): string =>
    readdirSync(here, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file))
      .map((file) => readFileSync(`${here}${file}`, 'utf8'))
      .join('\n');
  const isNamed = (key: string, all: string): boolean =>
    all.includes(`'${key}'`) ||
    [...key.matchAll(/\./g)].some(({ index }) => all.includes(`\`${key.slice(0, index + 1)}\${`));
  return {
    name: 'server-texts-named',
    enforce: 'pre',
    buildStart: () => {
      code = undefined;
    },
    transform: {
      filter: { id: /i18n\/src\/bundles\/[a-z]+\/server\.json$/ },
      handler: (json) => {
        const all = (code ??= read());
        const texts = Object.entries(JSON.parse(json) as Record<string, string>);
        const named = texts.filter(([key]) => isNamed(key.replace(/_(?:zero|one|two|few|many|other)$/, ''), all));
        return { code: JSON.stringify(Object.fromEntries(named)), map: null };
      },
    },
  };
}

/**
 * Texts by language (`texts:languages`): a file for each language holds its core texts and the way to its other areas.
 * A page then knows the files of its own language, and not those of all sixteen (BUDGET-001).
 */
function textsByLanguage(): Plugin {
  const bundles = source('i18n/src/bundles/');
  const table = (entries: readonly string[]): string => `{ ${entries.join(', ')} }`;
  const languages = (): string =>
    table(readdirSync(bundles).map((code) => `${code}: () => import(${JSON.stringify(`texts:${code}`)})`));
  const areas = (code: string): string => {
    const names = readdirSync(`${bundles}${code}`).map((file) => file.replace(/\.json$/, ''));
    const file = (name: string): string => JSON.stringify(`${bundles}${code}/${name}.json`);
    const others = names.filter((name) => name !== 'core');
    const ways = others.map((name) => `${name}: () => import(${file(name)}).then((area) => area.default)`);
    return `import core from ${file('core')};\nexport default ${table(['core', ...ways])};\n`;
  };
  return {
    name: 'texts-by-language',
    resolveId: { filter: { id: /^texts:/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /texts:[a-z]+$/ },
      handler: (id) => {
        const name = id.slice(id.indexOf(':') + 1);
        return name === 'languages' ? `export const TEXTS = ${languages()};\n` : areas(name);
      },
    },
  };
}

/** What a first visit of any page loads of our own: as one file it packs better than as forty (BUDGET-002). */
const FIRST_LOAD = new RegExp(
  [
    'terminal/src/paths\\.ts$',
    'terminal/src/prefs/(storage|appearance|kept|kept-store|use-kept)\\.ts$',
    'terminal/src/core/(api|config|connection|feed|i18n|lazy-screen|market|session|toasts)\\.tsx?$',
    'terminal/src/core/(wallet|wallet-patch|way-back|focus-symbol|notifications/(start|store))\\.ts$',
    'terminal/src/parts/(feed-chip|link-button)\\.tsx$',
    'libs/(api-client|realtime|i18n)/src/(?!decode-private|private-shapes)[a-z-]+\\.ts$',
    'libs/ui/src/(alert|badge|button|close-button|field|format|menu|num|skeleton|class-names)\\.tsx?$',
  ].join('|'),
);

export default defineConfig({
  plugins: [
    react(),
    tailwind(),
    preloadFont(),
    listAddresses(),
    webSocketAlone(),
    textsByLanguage(),
    serverTextsNamed(),
  ],
  resolve: {
    alias: {
      '@bourse/i18n': source('i18n/src/browser.ts'),
      '@bourse/money': source('money/src/index.ts'),
      '@bourse/formulas': source('formulas/src/index.ts'),
      '@bourse/contract': source('contract/src/index.ts'),
      '@bourse/ui': source('ui/src/index.ts'),
      '@bourse/api-client': source('api-client/src/index.ts'),
      '@bourse/realtime': source('realtime/src/index.ts'),
      '@bourse/verify': source('verify/src/index.ts'),
    },
  },
  // No data: addresses for scripts or fonts: the content policy names our own origin only.
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // Libraries that every screen needs are one file: they pack better together, and change rarely. So do the parts of
    // our own that every first visit loads.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack|i18next|react-i18next|zustand)\//,
            },
            { name: 'shell', test: FIRST_LOAD },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    // Under the page's own name: the exchange takes pages and demo calls of this machine by it.
    proxy: Object.fromEntries(
      ['/api', '/upi', '/walletMiddle', '/dev', '/healthz', '/readyz']
        .map((path) => [path, { target: exchange, changeOrigin: false }])
        .concat([['/socket.io', { target: exchange, ws: true, changeOrigin: false }]]),
    ),
  },
});
