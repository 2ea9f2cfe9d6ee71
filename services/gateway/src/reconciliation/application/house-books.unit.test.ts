import { expect, test } from '@jest/globals';
import type { Asks, HouseBook } from '@bourse/messaging';
import { SimulatedClock } from '@bourse/testing';
import type { Descriptions } from '../../shared/application/descriptions.js';
import { HouseBooks } from './house-books.js';

const book = (product: string, owed: string): HouseBook => ({
  product,
  currencies: { USDT: { reserved: '500000', owed_at_most: owed } },
  outcomes: { won: 3, lost: 4 },
});

test('are read at most every five seconds, and kept a minute while their service is silent [EDGE-036]', async () => {
  const asked: string[] = [];
  let silent = false;
  let owed = '10';
  const asks = {
    ask: ({ name }: { name: string }) => {
      asked.push(name);
      return silent && name === 'bets.house'
        ? Promise.reject(new Error('no answer'))
        : Promise.resolve([book(name.split('.')[0]!, owed)]);
    },
  } as unknown as Asks;
  const clock = new SimulatedClock();
  const books = new HouseBooks(asks, { againstHouse: () => ['bets', 'margins'] } as unknown as Descriptions, clock);

  expect(await Promise.all([books.all(), books.all()])).toEqual(
    Array(2).fill([book('bets', '10'), book('margins', '10')]),
  );
  owed = '20';
  expect(await books.all()).toEqual([book('bets', '10'), book('margins', '10')]);
  expect(asked).toEqual(['bets.house', 'margins.house']);

  silent = true;
  clock.advance(5_000);
  expect(await books.all()).toEqual([book('bets', '10'), book('margins', '20')]);
  expect(asked).toHaveLength(4);

  clock.advance(55_001);
  expect(await books.all()).toEqual([book('margins', '20')]);
});
