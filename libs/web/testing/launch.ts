import { chromium, type Browser } from 'playwright-core';

/** What a Chromium of tests is told: nothing that it would do besides showing pages. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-prefers-reduced-motion',
];

/** What `npm test` has set. @throws Error where a test was begun by itself */
export function required(name: 'BOURSE_URL' | 'CHROMIUM_PATH'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; \`npm test\` sets it`);
  return value;
}

/** A browser of this machine (`CHROMIUM_PATH`); each person in it has a context of their own. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: required('CHROMIUM_PATH'), args: QUIET });
