import { expect, test } from '@jest/globals';
import type pg from 'pg';
import { requireServer, ServerTooOld } from './server-version.js';

const server = (number: string, text: string): Pick<pg.Client, 'query'> =>
  ({ query: () => Promise.resolve({ rows: [{ number, text }] }) }) as unknown as Pick<pg.Client, 'query'>;

test.each([
  ['150015', '15.15 (Debian 15.15-0+deb12u1)'],
  ['90624', '9.6.24'],
])(
  'an older PostgreSQL (%s) is refused in one sentence that names both versions [DEPLOY-025]',
  async (number, text) => {
    const refused = requireServer(server(number, text));
    await expect(refused).rejects.toThrow(ServerTooOld);
    await expect(refused).rejects.toThrow(
      `PostgreSQL 16 or newer is needed, and the server of the database is ${text}`,
    );
  },
);

test.each([
  ['160000', '16.0'],
  ['180001', '18.1'],
])('PostgreSQL %s is taken [DEPLOY-025]', async (number, text) => {
  await expect(requireServer(server(number, text))).resolves.toBeUndefined();
});
