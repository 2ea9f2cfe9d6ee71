/** The parts of a book that tests compare: sums of the postings, and the assertions. */
export interface ReadBook {
  /** By account and symbol: exact decimal sums, without zeros at their end. */
  readonly sums: ReadonlyMap<string, string>;
  readonly asserted: ReadonlyMap<string, string>;
  readonly transactions: number;
}

const SCALE = 18;
const units = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return text.startsWith('-') ? -size : size;
};
const decimal = (value: bigint): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(SCALE + 1, '0');
  const text = `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '');
  return value < 0n ? `-${text}` : text;
};

const POSTING = /^ +([A-Z][\w:-]+) {2}(-?[\d.]+) (\S+)(?: = (-?[\d.]+) \S+)?$/;
const BALANCE = /^\d{4}-\d{2}-\d{2} balance ([A-Z][\w:-]+) {2}(-?[\d.]+) ~ 0 (\S+)$/;

export function readBook(text: string): ReadBook {
  const sums = new Map<string, bigint>();
  const asserted = new Map<string, string>();
  let transactions = 0;
  for (const line of text.split('\n')) {
    if (/^\d{4}-\d{2}-\d{2} \* /.test(line) && !line.endsWith('* balance')) transactions += 1;
    const [, account, amount, symbol, balance] = POSTING.exec(line) ?? [];
    const [, ofAccount, expected, ofSymbol] = BALANCE.exec(line) ?? [];
    if (ofAccount !== undefined) asserted.set(`${ofAccount} ${ofSymbol}`, decimal(units(expected ?? '')));
    if (account === undefined || amount === undefined) continue;
    const key = `${account} ${symbol?.replaceAll('"', '')}`;
    sums.set(key, (sums.get(key) ?? 0n) + units(amount));
    if (balance !== undefined) asserted.set(key, decimal(units(balance)));
  }
  return { sums: new Map([...sums].map(([key, sum]) => [key, decimal(sum)])), asserted, transactions };
}

/** The pieces of a book as one text. */
export async function joinPieces(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
