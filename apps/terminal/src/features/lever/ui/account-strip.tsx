import { useTranslation } from 'react-i18next';
import { compareDecimals } from '@bourse/money';
import { formatBalance, Num } from '@bourse/ui';
import type { Board } from '../model/positions.js';
import { PrincipalButton } from './principal-dialog.js';
import { RiskGauge } from './risk-gauge.js';
import { Signed } from './signed.js';

/** Risk, profit and balance of a quote's leverage account, and the way to move principal. */
export function AccountStrip({
  board,
  quote,
  burst,
}: {
  board: Board | undefined;
  quote: { id: number; name: string };
  burst?: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line bg-bg1 px-4 py-2 text-table">
      <RiskGauge rate={board?.hazard_rate ?? '0'} burst={burst} />
      <span className="flex flex-col">
        <span className="text-label text-t2">{t('lever.profit')}</span>
        <Signed unit={quote.name}>{board?.profits ?? '0'}</Signed>
      </span>
      {/* With positions of one quote alone it is the figure before. */}
      {board && compareDecimals(board.profits_total, board.profits) !== 0 && (
        <span className="flex flex-col">
          <span className="text-label text-t2">{t('lever.profitTotal')}</span>
          <Signed unit="USDT">{board.profits_total}</Signed>
        </span>
      )}
      <span className="flex flex-col">
        <span className="text-label text-t2">{t('lever.balance')}</span>
        <Num>{board ? `${formatBalance(board.balance)} ${quote.name}` : '…'}</Num>
      </span>
      <span className="ms-auto">
        <PrincipalButton quote={quote} />
      </span>
    </div>
  );
}
