import { expect, test } from '@jest/globals';
import { chainHash, type OutboxRow } from '@bourse/persistence';
import fc from 'fast-check';
import { StreamReader } from './stream-reader.js';

function chain(payloads: readonly string[]): OutboxRow[] {
  let previousHash = '';
  return payloads.map((payload, index) => {
    const hash = chainHash(previousHash, payload);
    const row = { stream: 's>t/0', number: index + 1, topic: 't', partition: 0, previousHash, hash, payload };
    previousHash = hash;
    return row;
  });
}
const drain = (reader: StreamReader): OutboxRow[] => {
  const out: OutboxRow[] = [];
  for (let row = reader.next(); row; row = reader.next()) out.push(row);
  return out;
};
/** Rows of a stream in any order, some several times, and the points at which to read. */
const arrivals = fc.array(fc.string(), { minLength: 1, maxLength: 12 }).chain((payloads) =>
  fc.record({
    rows: fc.constant(chain(payloads)),
    order: fc.shuffledSubarray(
      payloads.map((_, index) => index),
      { minLength: payloads.length },
    ),
    repeats: fc.array(fc.nat({ max: payloads.length - 1 }), { maxLength: 8 }),
    looks: fc.array(fc.boolean(), { maxLength: 20 }),
  }),
);

test('whatever the order and the repeats, each row goes out once and in number order [LOG-014]', () => {
  fc.assert(
    fc.property(arrivals, ({ rows, order, repeats, looks }) => {
      const reader = new StreamReader('s>t/0', { number: 0, hash: '' });
      const out: OutboxRow[] = [];
      for (const [step, index] of [...order, ...repeats].entries()) {
        reader.offer(rows[index]!);
        if (looks[step]) out.push(...drain(reader));
      }
      out.push(...drain(reader));
      expect(out.map((row) => row.number)).toEqual(rows.map((row) => row.number));
      expect(reader.fault).toBeNull();
      expect(reader.waiting).toBe(false);
      expect(reader.size).toBe(0);
    }),
  );
});

test('a missing row holds back its successors, and is named [LOG-014]', () => {
  fc.assert(
    fc.property(arrivals, fc.nat(), ({ rows, order }, pick) => {
      const missing = pick % rows.length;
      const reader = new StreamReader('s>t/0', { number: 0, hash: '' });
      for (const index of order) if (index !== missing) reader.offer(rows[index]!);
      expect(drain(reader).length).toBe(missing);
      expect(reader.missing).toBe(missing < rows.length - 1 ? missing + 1 : null);
      reader.offer(rows[missing]!);
      expect(drain(reader).length).toBe(rows.length - missing);
    }),
  );
});

test('any altered row stops the stream before it, for good [LOG-009]', () => {
  fc.assert(
    fc.property(arrivals, fc.nat(), fc.constantFrom('payload', 'previousHash', 'hash'), ({ rows }, pick, field) => {
      const altered = pick % rows.length;
      const reader = new StreamReader('s>t/0', { number: 0, hash: '' });
      for (const [index, row] of rows.entries())
        reader.offer(index === altered ? { ...row, [field]: `${row[field]}x` } : row);
      expect(drain(reader).length).toBe(altered);
      expect(reader.fault).toMatchObject({ stream: 's>t/0', number: altered + 1 });
      reader.offer(rows[altered]!);
      expect(drain(reader)).toEqual([]);
    }),
  );
});
