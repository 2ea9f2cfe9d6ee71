import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { withBrokers } from './own-broker.mjs';

const folder = mkdtempSync(join(tmpdir(), 'bourse-broker-'));
mkdirSync(join(folder, 'kafka', 'log'), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let steps: string[];
beforeEach(() => {
  steps = [];
});
const start = async (at: string): Promise<{ brokers: string; stop: () => Promise<void> }> => {
  steps.push(`start ${at}`);
  return {
    brokers: '127.0.0.1:9',
    stop: async () => {
      steps.push('stop');
    },
  };
};
const work = async (brokers: readonly string[]): Promise<readonly string[]> => {
  steps.push('work');
  return brokers;
};

test('after a distributed run its own broker is started for the tool, and stopped when it ends [LOG-060]', async () => {
  expect(await withBrokers({ given: [], folder, start }, work)).toEqual(['127.0.0.1:9']);
  expect(steps).toEqual([`start ${folder}`, 'work', 'stop']);
  const fails = withBrokers({ given: [], folder, start }, () => Promise.reject(new Error('not now')));
  await expect(fails).rejects.toThrow('not now');
  expect(steps.slice(3)).toEqual([`start ${folder}`, 'stop']);
});

test('brokers that are given are asked, and where there was no distributed run none is [LOG-060]', async () => {
  expect(await withBrokers({ given: ['k:9092'], folder, start }, work)).toEqual(['k:9092']);
  expect(await withBrokers({ given: [], folder: join(folder, 'kafka'), start }, work)).toEqual([]);
  expect(await withBrokers({ given: [], folder: null, start }, work)).toEqual([]);
  expect(steps).toEqual(['work', 'work', 'work']);
});
