import { expect, test } from '@jest/globals';
import { mayBeOnePerson } from './second-person.js';

const [ann, ben, cat, sock, puppet, old] = [1, 2, 3, 101, 102, 4];
const links = [
  { operatorId: sock, sponsorId: ann },
  { operatorId: sock, sponsorId: ben },
  { operatorId: puppet, sponsorId: sock },
  { operatorId: puppet, sponsorId: cat },
];

test('a sponsor is no second person for the sponsored, in either order and over a third [HARD-104]', () => {
  for (const [one, other] of [
    [ann, ann],
    [ann, sock],
    [sock, ben],
    [ann, puppet],
    [sock, puppet],
  ] as const) {
    expect([one, other, mayBeOnePerson(links, one, other)]).toEqual([one, other, true]);
    expect([other, one, mayBeOnePerson(links, other, one)]).toEqual([other, one, true]);
  }
  for (const [one, other] of [
    [ann, ben],
    [ann, cat],
    [old, sock],
    [old, puppet],
  ] as const)
    expect([one, other, mayBeOnePerson(links, one, other)]).toEqual([one, other, false]);
});

test('a circle of sponsors ends', () => {
  const circle = [
    { operatorId: ann, sponsorId: ben },
    { operatorId: ben, sponsorId: ann },
  ];
  expect([mayBeOnePerson(circle, ann, ben), mayBeOnePerson(circle, ann, cat)]).toEqual([true, false]);
});
