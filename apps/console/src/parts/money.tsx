import { grouped, NO_NUMBER, Num } from '@bourse/ui';

/** An amount with every digit that the server sent, because operators check the books. */
export function Money({ amount, currency }: { amount: string | null | undefined; currency?: string | undefined }) {
  if (amount === null || amount === undefined || amount === '') return <>{NO_NUMBER}</>;
  return (
    <Num className="whitespace-nowrap">
      {grouped(amount)}
      {currency !== undefined && <span className="text-t2"> {currency}</span>}
    </Num>
  );
}
