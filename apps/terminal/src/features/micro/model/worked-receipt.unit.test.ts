import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { verifyReceipt } from '@bourse/verify';

const docs = (name: string): string => readFileSync(new URL(`../../../../../../docs/${name}`, import.meta.url), 'utf8');

test('the worked receipt of the page holds by the key that it names, and by no other [MICROUI-041]', async () => {
  const key = /--key ([A-Za-z0-9+/]{43}=)/.exec(docs('fairness.md'))?.[1] ?? '';
  const file: unknown = JSON.parse(docs('fairness-receipt.json'));
  const faults = async (by: string): Promise<string[]> =>
    (await verifyReceipt(file, by)).flatMap(({ check, fault }) => (fault === null ? [] : [check]));
  expect(await faults(key)).toEqual([]);
  expect(await faults(key.replace(/^./, 'A'))).toEqual(['key']);
});
