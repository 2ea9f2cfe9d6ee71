import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { OutboxRow } from '../ports.js';
import { DatabaseSetBack, Witness } from './witness.js';

const STREAM = 'spot>spot.events/0';
const row = (number: number, hash: string): OutboxRow => ({
  stream: STREAM,
  number,
  topic: 'spot.events',
  partition: 0,
  previousHash: '',
  hash,
  payload: '[]',
});
/** A database whose stream is at `number`, with this hash at the queried number. */
const at = (number: number | null, hash: string | null, install = 'one') => ({
  query: (_sql: string, params: unknown[]) =>
    Promise.resolve({
      rows:
        params.length === 1
          ? [{ install }]
          : [{ stream: STREAM, number: number === null ? null : String(number), install, hash }],
    }),
});

describe('acknowledged rows are remembered beyond the database', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'witness-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true });
  });
  const witness = (file: string | null = null): Witness =>
    new Witness(file, (error) => {
      throw error;
    });

  test('a database at its remembered heads, or further, passes [LOG-040]', async () => {
    const known = witness();
    await known.check('spot', at(null, null));
    known.note('spot', [row(6, 'f'), row(7, 'g')]);
    await known.check('spot', at(7, 'g'));
    await known.check('spot', at(9, 'g'));
    await known.check('spot', at(9, null)); // the row was put away meanwhile
  });

  test.each([
    ['fewer rows', at(6, 'f')],
    ['no such stream', at(null, null)],
    ['another row at the number', at(9, 'x')],
  ])('%s: it was set back [LOG-040]', async (_name, database) => {
    const known = witness();
    known.note('spot', [row(7, 'g')]);
    await expect(known.check('spot', database)).rejects.toBeInstanceOf(DatabaseSetBack);
    await known.check('spot', at(7, 'g')); // the real one is back
  });

  test('commits that are answered while the question is under way do not count against it [LOG-040]', async () => {
    const known = witness();
    known.note('spot', [row(7, 'g')]);
    const busy = {
      query: () => {
        known.note('spot', [row(8, 'h')]);
        return Promise.resolve({ rows: [{ stream: STREAM, number: '8', install: '', hash: 'g' }] });
      },
    };
    await known.check('spot', busy);
  });

  test('it is seen over a restart too; another install is another database [LOG-040]', async () => {
    const file = join(dir, 'heads', 'spot.json');
    const before = witness(file);
    await before.check('spot', at(null, null));
    before.note('spot', [row(7, 'g')]);
    before.save();
    await expect(witness(file).check('spot', at(5, 'e'))).rejects.toThrow(/set back in time.*#7 was acknowledged/);
    await witness(file).check('spot', at(null, null, 'two'));
  });
});
