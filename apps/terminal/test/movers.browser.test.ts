import { expect, test } from '@bourse/web/testing';
import { BASE, visit } from './browser.js';

test('the markets page lists movers on a phone, and each opens its market [MARKETS-003]', async () => {
  const { page } = await visit({ width: 390, height: 844 });
  await page.goto(`${BASE}/allmarket`);
  const list = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(list('Gainers')).toBeInViewport({ ratio: 1 });
  await expect(list('Highest volume')).toBeAttached();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // Some pair has moved; which way depends on the recorded day.
  const first = list('Gainers').or(list('Losers')).getByRole('link').first();
  const symbol = await first.getByText(/^[A-Z]+\/[A-Z]+$/).textContent();
  await first.click();
  await page.getByRole('application', { name: new RegExp(`^Price chart of ${symbol}\\.`) }).waitFor();
});

test('the markets are ordered by live figures, and keep their places under the mouse [MARKETS-004]', async () => {
  const { page } = await visit();
  const changes = new Map<string, string>();
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(withChanges(message, changes)));
  });
  await page.clock.install();
  await page.goto(`${BASE}/allmarket`);
  const links = page.getByRole('table').getByRole('link', { name: /^[A-Z]+\/[A-Z]+$/ });
  const first = (): Promise<string | null> => links.first().textContent();
  // The mouse stays over the list after the press.
  await page.getByRole('button', { name: 'Sort by 24 h change' }).click();
  const before = await first();
  const last = (await links.last().textContent())!;
  changes.set(last, '987.65');
  await expect(page.getByRole('row', { name: last })).toContainText('987.65');
  await page.clock.fastForward(5_000);
  expect(await first()).toBe(before);
  await page.mouse.move(1, 1);
  await page.clock.fastForward(5_000);
  await expect.poll(first).toBe(last);
});

/** A frame of the socket with other changes of the day for some pairs. */
function withChanges(message: string | Buffer, changes: ReadonlyMap<string, string>): string | Buffer {
  if (typeof message !== 'string' || !message.startsWith('42["daymarket"')) return message;
  const [event, push] = JSON.parse(message.slice(2)) as [string, { symbol: string }];
  const change = changes.get(push.symbol);
  return change === undefined ? message : `42${JSON.stringify([event, { ...push, change }])}`;
}
