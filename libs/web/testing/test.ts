import { test as base, type Browser, type BrowserContext, type BrowserContextOptions } from '@playwright/test';

/** Reads a variable that `npm test` sets. @throws Error where a test was started by itself */
export function required(name: 'BOURSE_URL' | 'CHROMIUM_PATH'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; \`npm test\` sets it`);
  return value;
}

let browser: Browser | undefined;
/** Open contexts, with the test file that opened each. */
const opened = new Map<BrowserContext, string>();
async function close(contexts: Iterable<BrowserContext>): Promise<void> {
  for (const context of contexts) {
    opened.delete(context);
    // A handler that still fetches an answer would fail the next test of the worker.
    for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }
}

/**
 * Tests of one worker share its browser. A context that a test opens is closed when the test ends; one that
 * `beforeAll` opens, at the latest when the next file begins.
 */
export const test = base.extend<{ contextsOfTest: void }, { browserOfWorker: void }>({
  browserOfWorker: [
    async ({ browser: own }, use) => {
      browser = own;
      await use();
    },
    { scope: 'worker', auto: true },
  ],
  contextsOfTest: [
    async ({ browserOfWorker: _browser }, use, { file }) => {
      await close([...opened].filter(([, of]) => of !== file).map(([context]) => context));
      const before = new Set(opened.keys());
      await use();
      await close([...opened.keys()].filter((context) => !before.has(context)));
    },
    { auto: true },
  ],
});
export { expect } from '@playwright/test';

/** A context of the worker's browser: cookies, storage and sockets of one person. */
export async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  if (!browser) throw new Error('A context is opened in a test or in one of its hooks');
  const context = await browser.newContext(options);
  opened.set(context, test.info().file);
  context.once('close', () => opened.delete(context));
  return context;
}
