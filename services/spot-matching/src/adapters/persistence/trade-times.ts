import type { Database, Tx } from '@bourse/persistence';

/**
 * The last number of a market that was traded before a time, of those up to `last`. It is searched among the numbers,
 * which rise with the time: an index by time would slow down every trade.
 */
export async function lastTradeBefore(
  database: Pick<Database | Tx, 'query'>,
  symbol: string,
  last: number,
  at: number,
): Promise<number> {
  let [known, unknown] = [0, last];
  while (known < unknown) {
    const middle = Math.ceil((known + unknown) / 2);
    const [row] = await database.query<{ before: boolean }>(
      'select at < $3 as before from trades where symbol = $1 and sequence >= $2 order by sequence limit 1',
      [symbol, middle, new Date(at)],
    );
    if (row?.before === true) known = middle;
    else unknown = middle - 1;
  }
  return known;
}
