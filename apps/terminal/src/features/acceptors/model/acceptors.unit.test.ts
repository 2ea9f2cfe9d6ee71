import { describe, expect, test } from '@jest/globals';
import type { Acceptor, AcceptorDeal, AcceptorInfo } from '@bourse/contract';
import {
  dealProblems,
  deskActions,
  factsOf,
  isObjected,
  maxMoney,
  nextKey,
  NO_FIELDS,
  receiveOf,
  runs,
  stateKey,
  userActions,
} from './acceptors.js';

const acceptor: Acceptor = {
  id: 1,
  user_id: 7,
  name: 'Harbour',
  recharge_amount: '98.00000000',
  recharge_rate: '2',
  cash_amount: '49.00',
  cash_rate: '2',
};
const deal = (of: Partial<AcceptorDeal>): AcceptorDeal =>
  ({
    type: 'buy',
    is_sure: 0,
    stage: 0,
    object_until: '',
    disputed: 0,
    auto_time: '2026-01-01 00:00:00',
    ...of,
  }) as AcceptorDeal;

describe('the result of an order', () => {
  test('the worked example of the rules: 2 percent of 100 [ACCUI-001]', () => {
    expect(receiveOf('buy', '100', '2')).toBe('98.00000000');
    expect(receiveOf('sell', '100', '2')).toBe('98.00');
    expect(receiveOf('buy', '0.01', '0.15')).toBe('0.00998500');
    expect(receiveOf('sell', '0.01', '0.15')).toBe('0.00');
  });

  test('the most that a quota bears is rounded down, and its receipt never exceeds the quota [ACCUI-001]', () => {
    expect(maxMoney(acceptor, 'buy')).toBe('100.00');
    expect(maxMoney(acceptor, 'sell')).toBe('50.00');
    const odd = { ...acceptor, recharge_amount: '33.33333333', recharge_rate: '7' };
    expect(maxMoney(odd, 'buy')).toBe('35.84');
    expect(Number(receiveOf('buy', '35.84', '7'))).toBeLessThanOrEqual(33.33333333);
  });

  test('faults by field: missing values, a quota or a balance that is too small [ACCUI-002]', () => {
    const limits = { quota: '100.00', balance: '40' };
    expect(dealProblems({ ...NO_FIELDS, type: 'sell' }, limits)).toEqual({
      mobile: 'acc.mobileRequired',
      account: 'acc.accountRequired',
      money: 'acc.moneyRequired',
      way: 'acc.wayRequired',
      password: 'fund.format',
    });
    const whole = {
      type: 'sell',
      mobile: '1380000',
      account: '6222',
      money: '40',
      way: 'bank',
      password: 'fund66',
    } as const;
    expect(dealProblems(whole, limits)).toEqual({});
    expect(dealProblems({ ...whole, money: '40.01' }, limits)).toEqual({ money: 'acc.balance' });
    expect(dealProblems({ ...whole, money: '100.01' }, limits)).toEqual({ money: 'acc.quota' });
    expect(dealProblems({ ...whole, type: 'buy', money: '100', password: '' }, limits)).toEqual({});
    expect(dealProblems({ ...whole, money: '0.0' }, limits)).toEqual({ money: 'acc.moneyRequired' });
  });

  test('a way shows the account first, and nothing where there is none [ACCUI-003]', () => {
    const info = {
      ...acceptor,
      bank_account: '6222',
      bank_name: 'Bank',
      bank_address: '',
      ali_account: '',
    } as AcceptorInfo;
    expect(factsOf(info, 'bank')).toEqual([
      { name: 'bank_account', text: '6222' },
      { name: 'bank_name', text: 'Bank' },
    ]);
    expect(factsOf(info, 'ali_pay')).toEqual([]);
  });
});

describe('the party to act', () => {
  test('each state has its sentence and its buttons for both sides [ACCUI-010]', () => {
    const states = [
      { type: 'buy', stage: 0 },
      { type: 'buy', stage: 2 },
      { type: 'sell', stage: 0 },
      { type: 'sell', stage: 1 },
      { type: 'sell', stage: 2 },
    ] as const;
    const seen = states
      .map(deal)
      .map((one) => [nextKey(one, 'user'), userActions(one).join(), nextKey(one, 'desk'), deskActions(one).join()]);
    expect(seen).toEqual([
      ['acc.next.user.buy.0', 'object,cancel', 'acc.next.desk.buy.0', 'confirm,reject'],
      ['acc.next.user.buy.2', '', 'acc.next.desk.buy.2', ''],
      ['acc.next.user.sell.0', 'cancel', 'acc.next.desk.sell.0', 'transferred,reject'],
      ['acc.next.user.sell.1', 'confirm,object', 'acc.next.desk.sell.1', ''],
      ['acc.next.user.sell.2', '', 'acc.next.desk.sell.2', ''],
    ]);
    for (const ended of [deal({ is_sure: 1 }), deal({ is_sure: 2, stage: 1 })])
      expect([nextKey(ended, 'user'), userActions(ended), deskActions(ended), runs(ended)]).toEqual([
        undefined,
        [],
        [],
        false,
      ]);
  });

  test('a withdrawal confirmed by timeout can be disputed while the exchange allows it [HARD-448]', () => {
    const confirmed = deal({ type: 'sell', is_sure: 1, stage: 1 });
    expect(userActions(confirmed)).toEqual([]);
    expect(userActions({ ...confirmed, object_until: '2026-01-02 00:00:00' })).toEqual(['object']);
  });
  test('an objection to a confirmed withdrawal is shown as objected until finance decides [ACCUI-011]', () => {
    const late = deal({ type: 'sell', is_sure: 1, stage: 2, disputed: 1 });
    expect([stateKey(late), isObjected(late), nextKey(late, 'user'), nextKey(late, 'desk'), userActions(late)]).toEqual(
      ['acc.stage.2', true, 'acc.next.user.late', 'acc.next.desk.sell.2', []],
    );
    const kept = { ...late, disputed: 0 } as const;
    expect([stateKey(kept), isObjected(kept), nextKey(kept, 'user')]).toEqual(['acc.state.1', false, undefined]);
  });
  test('an objection stops the time, and the word of the state follows the stage until the end [ACCUI-010]', () => {
    expect([runs(deal({})), runs(deal({ stage: 2 })), runs(deal({ auto_time: '' }))]).toEqual([true, false, false]);
    expect([deal({}), deal({ stage: 1 }), deal({ stage: 2 }), deal({ is_sure: 1, stage: 1 })].map(stateKey)).toEqual([
      'acc.state.0',
      'acc.stage.1',
      'acc.stage.2',
      'acc.state.1',
    ]);
  });
});
