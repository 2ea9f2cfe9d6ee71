// The screens under `npm run dev`: Vite serves them from their sources and changes them in the open browser.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createServer } from 'vite';

/** Paths that the exchange itself answers; all others are pages. */
const CALLS = /^\/(?:api|upi|walletMiddle|dev|healthz|readyz)(?:[/?]|$)/;
const CONSOLE = /^\/admin(?:[/?]|$)/;

/** The folder that packages are installed in: above the clone, or behind links, in some setups. */
const installed = (root) => dirname(dirname(createRequire(join(root, 'package.json')).resolve('vite/package.json')));

/**
 * Vite of each application in one server: the console under /admin, the terminal everywhere else. Calls wait for
 * `ready()`: a request during the start of a changed exchange gets its answer and no error.
 */
export async function serveScreens(server, { root, exchangeUrl, ready }) {
  process.env.BOURSE_URL = exchangeUrl;
  const serve = (app) =>
    createServer({
      root: join(root, 'apps', app),
      cacheDir: join(root, '.cache', 'dev', `vite-${app}`),
      server: { middlewareMode: { server }, ws: { server }, fs: { allow: [root, installed(root)] } },
      appType: 'spa',
      logLevel: 'warn',
    });
  const [terminal, console_] = [await serve('terminal'), await serve('console')];
  server.on('request', async (asked, answer) => {
    if (CALLS.test(asked.url ?? '')) await ready();
    (CONSOLE.test(asked.url ?? '') ? console_ : terminal).middlewares(asked, answer);
  });
}
