import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import {
  ALIASES,
  beforePaint,
  listAddresses,
  listLicences,
  preloadFont,
  textsByLanguage,
  VENDOR_GROUP,
} from '@bourse/web/build';
import { defineConfig } from 'vite';
import { ADDRESSES } from './src/paths.js';

/** The exchange that `vite dev` calls; by default the one that `npm start` runs. */
const exchange = process.env['BOURSE_URL'] ?? 'http://127.0.0.1:8080';
/** The address of the console: under `/admin/` of the exchange, or at `/` of an origin of its own. */
const base = process.env['CONSOLE_BASE'] ?? '/admin/';
/** The areas whose words the screens use. */
const AREAS = new Set(['core', 'console']);

export default defineConfig({
  base,
  plugins: [
    react(),
    tailwind(),
    preloadFont(),
    beforePaint(),
    listAddresses(ADDRESSES),
    listLicences(),
    textsByLanguage((area) => AREAS.has(area)),
  ],
  resolve: { alias: ALIASES },
  // The exchange that a console on an origin of its own calls; empty: that of the page.
  define: { __EXCHANGE__: JSON.stringify(process.env['CONSOLE_EXCHANGE'] ?? '') },
  // No data: addresses for scripts or fonts: the content policy names our own origin only.
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [VENDOR_GROUP],
        },
      },
    },
  },
  server: {
    port: 5174,
    proxy: Object.fromEntries(
      ['/api', '/upi', '/dev', '/healthz', '/readyz'].map((path) => [path, { target: exchange, changeOrigin: false }]),
    ),
  },
});
