import { isInternalCurrency } from '@bourse/events';
import { formatUnits } from '@bourse/money';
import { csvRow } from '@bourse/platform';
import type { LogRow } from '../ports.js';
import { journalId } from '../statement/journal-id.js';
import { signedUnits } from '../writer/entries.js';
import type { Commodity } from '../currencies.js';
import { splitJournals } from './split-journals.js';

/** Formats that programs for taxes import: the universal form of Koinly, and the form of CoinTracking. */
export const TAX_FORMATS = ['koinly', 'cointracking'] as const;
export type TaxFormat = (typeof TAX_FORMATS)[number];

/** An amount of one coin, above zero, in units of its scale. */
interface Money {
  readonly currency: number;
  readonly units: bigint;
}
type Kind = 'trade' | 'move' | 'leverage' | 'contract' | 'interest' | 'reward' | 'insurance';
/** Amounts that one journal moved: at most one coin out, one in, and one fee beside them. */
interface TaxRow {
  readonly journal: LogRow;
  readonly kind: Kind;
  readonly sent?: Money;
  readonly received?: Money;
  readonly fee?: Money;
}

/** Causes with a meaning of their own; all others move coins in or out of the exchange, or to another person. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['trade', 'trade'],
  ['lever', 'leverage'],
  ['micro', 'contract'],
  ['insurance', 'insurance'],
  ['savings', 'interest'],
  ['rebate', 'reward'],
  ['points_binding', 'reward'],
  ['points_exchange', 'reward'],
  ['points_fees', 'reward'],
]);

/** Labels of Koinly: of coins in, of coins out, of a row that is a fee. */
const KOINLY: Readonly<Record<Kind, readonly [received: string, sent: string, fee: string]>> = {
  trade: ['', '', 'cost'],
  move: ['', '', 'cost'],
  leverage: ['realized gain', 'realized gain', 'margin fee'],
  contract: ['realized gain', 'realized gain', 'cost'],
  interest: ['loan interest', 'cost', 'cost'],
  reward: ['reward', 'cost', 'cost'],
  insurance: ['other income', 'cost', 'cost'],
};
/** Types of CoinTracking, in the same order. */
const COINTRACKING: Readonly<Record<Kind, readonly [received: string, sent: string, fee: string]>> = {
  trade: ['Deposit', 'Withdrawal', 'Other Fee'],
  move: ['Deposit', 'Withdrawal', 'Other Fee'],
  leverage: ['Margin Profit', 'Margin Loss', 'Margin Fee'],
  contract: ['Derivatives / Futures Profit', 'Derivatives / Futures Loss', 'Other Fee'],
  interest: ['Interest Income', 'Other Expense', 'Other Fee'],
  reward: ['Reward / Bonus', 'Other Expense', 'Other Fee'],
  insurance: ['Other Income', 'Other Expense', 'Other Fee'],
};
const HEADS: Readonly<Record<TaxFormat, string>> = {
  koinly:
    'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,' +
    'Net Worth Amount,Net Worth Currency,Label,Description,TxHash\n',
  cointracking:
    '"Type","Buy Amount","Buy Currency","Sell Amount","Sell Currency","Fee","Fee Currency",' +
    '"Exchange","Trade-Group","Comment","Date"\n',
};
const EXCHANGE = 'Bourse';

/**
 * Writes a statement for a program for taxes, a row for each journal that changed what the person has: a trade with its
 * fee is one row, holds and transfers between own accounts are none. Internal currencies are no coins and are left out.
 * The rows of a coin sum to the change of its balances.
 *
 * @param describe text of a line
 */
export class TaxExport {
  constructor(
    private readonly format: TaxFormat,
    private readonly commodityOf: (currency: number) => Commodity,
    private readonly describe: (line: LogRow) => string,
  ) {}

  head(): string {
    return HEADS[this.format];
  }

  /** Writes lines of whole journals, oldest first. */
  lines(rows: readonly LogRow[]): string {
    return splitJournals(rows)
      .flatMap((journal) => this.rowsOf(journal))
      .map((row) => (this.format === 'koinly' ? this.koinly(row) : this.coinTracking(row)))
      .join('');
  }

  private rowsOf(lines: readonly LogRow[]): TaxRow[] {
    const [journal] = lines;
    if (!journal) return [];
    const kind = KINDS.get(journal.causeType) ?? 'move';
    const moved = this.sums(lines.filter(({ fee }) => !fee));
    const charged = this.sums(lines.filter(({ fee }) => fee));
    const received = moved.filter(({ units }) => units > 0n);
    const sent = moved.flatMap(({ currency, units }) => (units < 0n ? [{ currency, units: -units }] : []));
    const fees = charged.flatMap(({ currency, units }) => (units < 0n ? [{ currency, units: -units }] : []));
    // A fee that is given back.
    const back = charged.filter(({ units }) => units > 0n);
    const [out, into, fee] = [sent[0], received[0], fees[0]];
    const isWhole = sent.length <= 1 && received.length <= 1 && fees.length <= 1 && (out ?? into) !== undefined;
    const returned = back.map((one): TaxRow => ({ journal, kind: 'move', received: one }));
    if (isWhole && (fee === undefined || this.fits(fee, out, into)))
      return [
        { journal, kind, ...(out && { sent: out }), ...(into && { received: into }), ...(fee && { fee }) },
        ...returned,
      ];
    return [
      ...sent.map((one): TaxRow => ({ journal, kind, sent: one })),
      ...received.map((one): TaxRow => ({ journal, kind, received: one })),
      ...fees.map((one): TaxRow => ({ journal, kind, fee: one })),
      ...returned,
    ];
  }

  /** Whether a fee can stand beside the amounts: CoinTracking counts it inside of them. */
  private fits(fee: Money, sent: Money | undefined, received: Money | undefined): boolean {
    if (sent?.currency === fee.currency) return true;
    return received?.currency === fee.currency && received.units > fee.units;
  }

  /** Sums of coins that are not zero, in the order of the lines. */
  private sums(lines: readonly LogRow[]): Money[] {
    const sums = new Map<number, bigint>();
    for (const { currency, amount } of lines) {
      if (isInternalCurrency(currency)) continue;
      const units = signedUnits(amount, this.commodityOf(currency).scale);
      sums.set(currency, (sums.get(currency) ?? 0n) + units);
    }
    return [...sums].filter(([, units]) => units !== 0n).map(([currency, units]) => ({ currency, units }));
  }

  /** A row of which the fee is all there is counts as coins sent. */
  private koinly({ journal, kind, sent, received, fee }: TaxRow): string {
    const [ofReceived, ofSent, ofFee] = KOINLY[kind];
    const isFee = !sent && !received;
    const label = isFee ? ofFee : sent && received ? '' : received ? ofReceived : ofSent;
    return csvRow([
      `${timeOf(journal)} UTC`,
      ...this.pair(isFee ? fee : sent),
      ...this.pair(received),
      ...this.pair(isFee ? undefined : fee),
      '',
      '',
      label,
      this.description(journal),
      '',
    ]);
  }

  /** The fee is part of the amounts: added to what was sent, or taken off what was received. */
  private coinTracking({ journal, kind, sent, received, fee }: TaxRow): string {
    const [ofReceived, ofSent, ofFee] = COINTRACKING[kind];
    const isFee = !sent && !received;
    const type = isFee ? ofFee : sent && received ? 'Trade' : received ? ofReceived : ofSent;
    const isOfSent = fee !== undefined && sent?.currency === fee.currency;
    const sell = isFee ? fee : isOfSent ? { ...sent, units: sent.units + fee.units } : sent;
    const buy = received && fee && !isOfSent ? { ...received, units: received.units - fee.units } : received;
    return csvRow([
      type,
      ...this.pair(buy),
      ...this.pair(sell),
      ...this.pair(isFee ? undefined : fee),
      EXCHANGE,
      '',
      this.description(journal),
      timeOf(journal),
    ]);
  }

  private pair(money: Money | undefined): [amount: string, currency: string] {
    if (!money) return ['', ''];
    const { name, scale } = this.commodityOf(money.currency);
    return [formatUnits(money.units, scale), name];
  }

  private description(line: LogRow): string {
    return [this.describe(line), line.causeId, `journal ${journalId(line)}`].filter(Boolean).join(', ');
  }
}

/** Time of a journal, UTC. */
const timeOf = ({ at }: LogRow): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
