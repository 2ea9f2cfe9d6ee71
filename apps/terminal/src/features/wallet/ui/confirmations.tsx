import { useTranslation } from 'react-i18next';
import type { Deposit } from '@bourse/contract';
import { cx, Num } from '@bourse/ui';
import { progressOf } from '../model/deposit.js';

/** How far a deposit is, as a chain of blocks: filled ones are confirmations. */
export function Confirmations({ deposit }: { deposit: Pick<Deposit, 'confirmations' | 'needed' | 'state'> }) {
  const { t } = useTranslation();
  const { filled, of } = progressOf(deposit);
  const words = t('wallet.confirmations', { done: filled, needed: of });
  return (
    <div className="flex items-center gap-2">
      <div
        role="progressbar"
        aria-label={words}
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={filled}
        dir="ltr"
        className="flex items-center"
      >
        {Array.from({ length: Math.min(of, 12) }, (_, block) => (
          <span key={block} aria-hidden className="flex items-center">
            {block > 0 && <span className="h-0.5 w-1.5 bg-line-strong" />}
            <span
              className={cx(
                'size-3.5 rounded-[3px] border',
                block < Math.floor((filled * Math.min(of, 12)) / of) ? 'border-up bg-up' : 'border-line-strong',
              )}
            />
          </span>
        ))}
      </div>
      <span aria-hidden className="text-table text-t2">
        <Num>
          {filled}/{of}
        </Num>
      </span>
    </div>
  );
}
