import { describe, expect, test } from '@jest/globals';
import type { MicroCurrency, MicroSeconds } from '@bourse/contract';
import { STAKE_TICKET, summarizeStake, validateStake, type StakeInputs } from './stake.js';

const TYPE = {
  id: 1,
  currency_id: 5,
  currency_name: 'HAP',
  name: 'HAP',
  min_amount: '100',
  max_amount: '10000',
  premium_rate: '5',
  end_profit_rate: '100',
  claim_loss_rate: '50',
  claim_rate: '50',
  claims_per_day: 2,
  stake_rate: '2',
  max_open: 5,
  quota_left: '1000000',
};
const currency = (over: Partial<MicroCurrency> = {}): MicroCurrency => ({
  id: 3,
  name: 'USDT',
  micro_numbers: [{ number: '10' }],
  micro_trade_fee: '0.2',
  micro_min: '10',
  micro_max: '5000',
  user_wallet: { micro_balance: '1000.00000000', currency_name: 'USDT', is_micro: 1 },
  insurance_types: [],
  user_insurance: null,
  ...over,
});
const MINUTE: MicroSeconds = {
  id: 2,
  seconds: 60,
  showtime: '1',
  time_unit: 'm',
  profit_ratio: '50',
  min_money: '1',
  max_money: '2000',
};
const inputs = (over: Partial<StakeInputs> = {}): StakeInputs => ({
  matchId: 1,
  currency: currency(),
  duration: MINUTE,
  available: '1000.00000000',
  open: true,
  ...over,
});
const fault = (number: string, over: Partial<StakeInputs> = {}): string | undefined =>
  validateStake({ number, type: 1 }, inputs(over))?.key;

describe('the ticket of a seconds contract', () => {
  test('shows fee, win and loss of the worked example before the press [MICROUI-001]', () => {
    expect(summarizeStake({ number: '100', type: 1 }, inputs())).toEqual({
      fee: '0.2',
      win: '49.8',
      lose: '100.2',
      min: '10',
      max: '2000',
    });
    expect(summarizeStake({ number: '', type: 1 }, inputs())).toMatchObject({ fee: '', win: '', lose: '' });
  });

  test('names the first fault in the order of the rules [MICROUI-002]', () => {
    expect(fault('', { open: false, duration: undefined })).toBe('micro.openNum');
    expect(fault('1', { open: false, duration: undefined })).toBe('micro.closed');
    expect(fault('1', { duration: undefined })).toBe('micro.noDuration');
    expect(fault('9.99', { available: '0' })).toBe('micro.range');
    expect(fault('2000.01')).toBe('micro.range');
    expect(fault('998.01')).toBe('balance.insufficient');
    expect(fault('998')).toBeUndefined();
    expect(fault('100', { available: undefined })).toBeUndefined();
  });

  test('a policy that must be claimed, or a stake beyond it, is reported before the balance [MICROUI-002]', () => {
    const insured = (vault: string): Partial<StakeInputs> => ({
      currency: currency({
        insurance_types: [TYPE],
        user_insurance: { id: '9', insurance_type_id: 1, amount: '1000', vault, status: 1 },
      }),
      available: vault,
    });
    expect(fault('20', insured('500'))).toBe('micro.claimFirst');
    expect(fault('20.01', insured('501'))).toBe('micro.stakeMax');
    expect(fault('20', insured('501'))).toBeUndefined();
  });

  test('always asks for confirmation, sends the typed values, and clears the form [MICROUI-003]', () => {
    const stake = { number: '.5', type: 2 } as const;
    expect(STAKE_TICKET.press({ number: '100', type: 2 }, inputs(), true)).toEqual({ kind: 'confirm' });
    expect(STAKE_TICKET.fields(stake)).toEqual({ number: '0.5', type: 2 });
    expect(STAKE_TICKET.reduce(stake, STAKE_TICKET.sent, inputs())).toEqual({ number: '', type: 2 });
    expect(STAKE_TICKET.reduce(stake, { type: 'number', text: '1e5' }, inputs())).toEqual(stake);
  });
});
