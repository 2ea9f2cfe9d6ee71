import { expect, test } from '@jest/globals';
import { lackingPrograms } from './programs.mjs';

const nothing = (): boolean => false;
const everything = (): boolean => true;

test('programs that are not there are named at once, with the command that brings them [START-012]', () => {
  const told = lackingPrograms({}, nothing, false, false) ?? '';
  for (const name of ['Java', 'Maven', 'Redis', 'redis']) expect(told).toContain(name);
  expect(told.split('\n')).toHaveLength(1);
  const onlyJava = lackingPrograms({}, (...names: string[]) => !names.includes('java'), true, false) ?? '';
  expect([onlyJava.includes('Java'), onlyJava.includes('Maven'), onlyJava.includes('Redis.')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('nothing lacks where all is there, is given by its address, or may run in a container [START-012]', () => {
  expect(lackingPrograms({}, everything, false, false)).toBeUndefined();
  expect(lackingPrograms({ KAFKA_BROKERS: 'a:1', REDIS_URL: 'redis://a' }, nothing, false, false)).toBeUndefined();
  expect(lackingPrograms({}, nothing, false, true)).toBeUndefined();
});
