import type { LeverPosition, WalletLog } from '@bourse/contract';
import { COIN_SCALE } from '@bourse/formulas';
import { toUnits } from '@bourse/money';

/** One step of a position's story: the key of its words, when, and what it cost. */
export interface Step {
  readonly id: string;
  readonly text: string;
  readonly time: string;
  readonly amount?: string;
}
type Told = Pick<
  LeverPosition,
  'status' | 'closed_type' | 'create_time' | 'transaction_time' | 'handle_time' | 'trade_fee'
>;
type Entry = Pick<WalletLog, 'id' | 'value' | 'created_time' | 'is_fee'>;

/**
 * The events of a position, in the order of time.
 * @param entries what the ledger has booked for it; the opening fee belongs to the opening and is not repeated
 */
export function storyOf(row: Told, entries: readonly Entry[]): readonly Step[] {
  const steps: Step[] = [{ id: 'ordered', text: 'lever.ordered', time: row.create_time }];
  if (row.transaction_time !== '') steps.push({ id: 'opened', text: 'lever.opened', time: row.transaction_time });
  for (const { id, value, created_time: time } of nightFees(row, entries))
    steps.push({ id, text: 'lever.overnight', time, amount: value });
  if (row.status === 3) steps.push({ id: 'ended', text: `lever.closedBy.${row.closed_type}`, time: row.handle_time });
  if (row.status === 4) steps.push({ id: 'ended', text: 'lever.state.4', time: row.handle_time });
  return steps;
}

function nightFees({ trade_fee: opening }: Told, entries: readonly Entry[]): readonly Entry[] {
  const units = (text: string): bigint => toUnits(text, COIN_SCALE);
  const fees = entries
    .filter(({ is_fee: fee }) => fee === 1)
    .toSorted(
      (a, b) => a.created_time.localeCompare(b.created_time) || a.id.length - b.id.length || (a.id < b.id ? -1 : 1),
    );
  const at = fees.findIndex(({ value }) => units(value) === -units(opening));
  return fees.filter((_, index) => index !== at);
}
