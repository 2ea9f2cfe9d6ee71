import { describe, expect, jest, test } from '@jest/globals';
import { LANGUAGES } from '@bourse/contract';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { ADDRESSES, hasScreen } from '../src/paths.js';

jest.setTimeout(testTimeoutMs(5_000));

const BASE = (process.env['BOURSE_URL'] ?? '').replace(/\/$/, '');
const page = async (path: string): Promise<[number, string | null]> => {
  const response = await fetch(`${BASE}${path}`, { headers: { accept: 'text/html' } });
  await response.arrayBuffer();
  return [response.status, response.headers.get('content-type')];
};
const PAGE = 'text/html; charset=utf-8';

describe('the gateway knows the terminal’s addresses by its build [TERM-006]', () => {
  test('every address with a screen answers 200, with a query too', async () => {
    for (const { path } of ADDRESSES.filter(({ example }) => example === undefined)) {
      expect([path, ...(await page(path))]).toEqual([path, 200, PAGE]);
      expect([path, (await page(`${path}?id=1`))[0]]).toEqual([path, 200]);
    }
  });

  test('the screen of an example has a page where the example runs, and nowhere else', async () => {
    const running = (process.env['BOURSE_EXAMPLES'] ?? '').split(',');
    const ofExamples = ADDRESSES.filter(({ example }) => example !== undefined);
    expect(ofExamples.length).toBeGreaterThan(0);
    for (const { path, example = '' } of ofExamples)
      expect([path, ...(await page(path))]).toEqual([path, running.includes(example) ? 200 : 404, PAGE]);
  });

  test.each(['/no-such-screen', '/dealCenter/', '/account/finance', '/DEALCENTER', '/new_account'])(
    '%s has no screen and answers the page with 404',
    async (path) => {
      expect([hasScreen(path), ...(await page(path))]).toEqual([false, 404, PAGE]);
    },
  );

  test('the page of a screen that guests see names files of the build, in every language [BUDGET-011]', async () => {
    const files = new Set<string>();
    for (const { path } of ADDRESSES.filter((one) => one.page !== undefined)) {
      const html = await (await fetch(`${BASE}${path}`, { headers: { accept: 'text/html' } })).text();
      const links = html.matchAll(/<link rel="(?:modulepreload|preload)"[^>]* href="\/([^"]+)"/g);
      const table = /<meta name="texts" content='([^']+)'/.exec(html)?.[1] ?? '{}';
      const texts = JSON.parse(table) as Record<string, string[]>;
      expect([path, Object.keys(texts).sort()]).toEqual([path, [...LANGUAGES].sort()]);
      for (const file of [...[...links].map(([, to]) => to ?? ''), ...Object.values(texts).flat()]) files.add(file);
    }
    const missing = await Promise.all(
      [...files].map(async (file) => ((await fetch(`${BASE}/${file}`, { method: 'HEAD' })).ok ? [] : [file])),
    );
    expect(missing.flat()).toEqual([]);
  });

  test('a page of the build is no address itself', async () => {
    for (const path of ['/index.html', '/screens/spot.html'])
      expect([path, (await page(path))[0]]).toEqual([path, 404]);
  });

  test('a program that asks for an address without a screen gets a refusal, not a page', async () => {
    const response = await fetch(`${BASE}/no-such-screen`, { headers: { accept: 'application/json' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
