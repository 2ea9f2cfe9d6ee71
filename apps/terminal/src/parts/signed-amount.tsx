import { cx, formatBalance, Num } from '@bourse/ui';

/** A signed amount of a booking in the colour of its direction, or `plain`; `coin` unless the column names it. */
export const SignedAmount = ({ amount, coin, plain = false }: { amount: string; coin?: string; plain?: boolean }) => (
  <Num className={cx(!plain && (amount.startsWith('-') ? 'text-down' : 'text-up'))}>
    {[`${amount.startsWith('-') ? '' : '+'}${formatBalance(amount)}`, coin].filter(Boolean).join(' ')}
  </Num>
);
