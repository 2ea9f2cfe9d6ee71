import { describe, expect, test } from '@jest/globals';
import { ADDRESSES, hasScreen } from '../src/paths.js';

const BASE = (process.env['BOURSE_URL'] ?? '').replace(/\/$/, '');
const page = async (path: string): Promise<[number, string | null]> => {
  const response = await fetch(`${BASE}${path}`, { headers: { accept: 'text/html' } });
  await response.arrayBuffer();
  return [response.status, response.headers.get('content-type')];
};
const PAGE = 'text/html; charset=utf-8';

describe('the gateway knows the terminal’s addresses by its build [TERM-006]', () => {
  test('every address with a screen answers 200, with a query too', async () => {
    for (const path of ADDRESSES.filter((one) => typeof one === 'string')) {
      expect([path, ...(await page(path))]).toEqual([path, 200, PAGE]);
      expect([path, (await page(`${path}?id=1`))[0]]).toEqual([path, 200]);
    }
  });

  test('the screen of an example has a page where the example runs, and nowhere else', async () => {
    const running = (process.env['BOURSE_EXAMPLES'] ?? '').split(',');
    const ofExamples = ADDRESSES.filter((one) => typeof one !== 'string');
    expect(ofExamples.length).toBeGreaterThan(0);
    for (const { path, example } of ofExamples)
      expect([path, ...(await page(path))]).toEqual([path, running.includes(example) ? 200 : 404, PAGE]);
  });

  test.each(['/no-such-screen', '/dealCenter/', '/account/finance', '/DEALCENTER', '/new_account'])(
    '%s has no screen and answers the page with 404',
    async (path) => {
      expect([hasScreen(path), ...(await page(path))]).toEqual([false, 404, PAGE]);
    },
  );

  test('a program that asks for an address without a screen gets a refusal, not a page', async () => {
    const response = await fetch(`${BASE}/no-such-screen`, { headers: { accept: 'application/json' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
});
