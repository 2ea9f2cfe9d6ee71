import { expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, keyOf } from './client.js';
import * as room from './deal-room.js';
import { createMerchants, done, type Person } from './people.js';

/* A chat has an end, and its transcript is built while others are served (attack M10). */
jest.setTimeout(testTimeoutMs(75_000));

test('a chat holds 500 lines of the two sides, and its transcript all of them [HARD-442]', async () => {
  const people = await createMerchants(2, { legal: { [room.USDT]: '5000' } });
  const [seller, buyer] = people as unknown as [Person, Person];
  const ad = await room.sellAd(seller.token);
  const other = await room.taken(buyer.token, ad);
  const write = (token: string): Promise<string | undefined> => keyOf(room.say(token, other, { text: 'a line' }));
  for (let round = 0; round < 20; round += 1)
    await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        done(room.say((at % 2 ? seller : buyer).token, other, { text: `${round} ${at}` })),
      ),
    );
  for (const { token } of [seller, buyer]) expect(await write(token)).toBe('c2c.chatFull');
  expect((await room.say(buyer.token, other, { text: 'more' })).body).toMatchObject({ params: { max: 500 } });
  // Lines of the system still come, and the whole is one document.
  await done(room.cancel(buyer.token, other));
  const headers = { authorization: buyer.token };
  const documents = await Promise.all(
    Array.from({ length: 3 }, async () => (await fetch(`${BASE}/api/c2c/transcript?id=${other}`, { headers })).text()),
  );
  for (const text of documents) expect(text.match(/<li>/g)!.length).toBeGreaterThanOrEqual(502);
  await room.offShelf(seller.token, ad);
});
