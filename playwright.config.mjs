// Tests in a real browser (`*.browser.test.ts`). `npm test` starts the exchange that they need, and sets BOURSE_URL and
// CHROMIUM_PATH.
import { defineConfig } from '@playwright/test';

/** How many times as long as on an idle reference machine this one may take; measured by the test runner. */
const timeFactor = Math.max(1, Number(process.env.TIME_FACTOR ?? 1));
const { BROWSER_FILES, BROWSER_REPORT, BROWSER_WORKERS = '2' } = process.env;

export default defineConfig({
  testDir: '.',
  testMatch: BROWSER_FILES ? JSON.parse(BROWSER_FILES).map((file) => `**/${file}`) : '**/*.browser.test.ts',
  testIgnore: ['**/node_modules/**', '**/dist/**', '**/.cache/**', '**/.data/**'],
  tsconfig: './tsconfig.web-test.json',
  outputDir: './.cache/test/browser',
  workers: Number(BROWSER_WORKERS),
  retries: 0,
  forbidOnly: true,
  timeout: 300_000 * timeFactor,
  expect: { timeout: 30_000 * timeFactor },
  reporter: BROWSER_REPORT ? [['json', { outputFile: BROWSER_REPORT }]] : 'list',
  use: {
    browserName: 'chromium',
    headless: true,
    actionTimeout: 45_000 * timeFactor,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        // Nothing that a browser does besides showing pages.
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--force-prefers-reduced-motion',
      ],
    },
  },
});
