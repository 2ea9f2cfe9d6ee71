// Spot orders of contract tests: their acceptance, their rows, and their end.
import { expect } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get, type Answered, type BodyAt } from './client.js';

export type SpotOrder = RowOf<'GET /api/coin/list'>;

/** The id of an order, which must have been accepted. */
export async function acceptedId(answer: Promise<Answered<BodyAt<'POST', '/api/coin/trade'>>>): Promise<string> {
  const { body } = await answer;
  expect(body).toMatchObject({ type: 'ok', key: 'trade.success' });
  return body.id;
}

export const orderOf = async (token: string, id: string): Promise<SpotOrder> =>
  (await get('/api/coin/order', { id }, { token })).body.message;

/** The order, once it is done. */
export const doneOrder = (token: string, id: string): Promise<SpotOrder> =>
  eventuallySatisfied(
    () => orderOf(token, id),
    (order) => order.status === 2,
  );
