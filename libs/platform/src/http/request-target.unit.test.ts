import { expect, test } from '@jest/globals';
import { originForm } from './request-target.js';

test.each([
  ['/api/time?x=1', '/api/time?x=1'],
  ['http://other.example/dev/inbox?limit=1', '/dev/inbox?limit=1'],
  ['HTTPS://Other.example:8080/dev/clock', '/dev/clock'],
  ['http://other.example', '/'],
  ['http://other.example?x=1', '/?x=1'],
  ['*', '/*'],
  ['//other.example/dev/inbox', '//other.example/dev/inbox'],
])('the target %p has the path %p [EDGE-131]', (target, path) => {
  expect(originForm(target)).toBe(path);
});
