import { expect, test } from '@jest/globals';
import { hasOwnToast, isOfIdentity } from './notice-news.js';

test('a notice has a toast where the page does not report its event itself [INBOX-001]', () => {
  const own = ['orderFilled', 'positionStop', 'dealPaid', 'dealExpired', 'depositCredited', 'withdrawalRejected'];
  expect(own.filter((kind) => !hasOwnToast(kind))).toEqual([]);
  expect(['complaintAnswered', 'message', 'aKindOfLater'].filter(hasOwnToast)).toEqual([]);
});

test('a notice shows although another of the same screen has a toast of the page [INBOX-004]', () => {
  const deals = ['dealReminder', 'appealWithdrawn'];
  const money = ['withdrawalPlaced', 'withdrawalSent', 'depositSeen', 'depositHeld', 'depositReturned'];
  expect([...deals, ...money, 'positionOpened', 'exitsDropped'].filter(hasOwnToast)).toEqual([]);
});

test('the kind of a notice marks a decision on papers [NOTE-009]', () => {
  expect(['identityPassed', 'identityRejected'].map(isOfIdentity)).toEqual([true, true]);
  expect(['newDevice', 'message'].map(isOfIdentity)).toEqual([false, false]);
});
