import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { QuotationItem } from '@bourse/contract';
import { Checkbox, Empty, Tabs } from '@bourse/ui';
import { useSignedIn } from '../../../core/session.js';
import { useSignInAddress } from '../../../parts/guest-prompt.js';
import { useKept } from '../../../prefs/use-kept.js';
import type { useBoard } from '../api/lever.js';
import { CloseAll } from './close-all.js';
import { PositionsExport } from './positions-export.js';
import { OpenPositions, PendingEntrusts, PositionHistory } from './position-tables.js';

export type LeverTab = 'open' | 'buy' | 'sell' | 'history' | 'fills';
type List = ReturnType<typeof useBoard>;

/** Positions, entrusts by side, history and fills of all pairs of the quote, or of the pair alone. */
export function LeverPanel({
  pair,
  open,
  pending,
  tab,
  onTab,
}: {
  pair: QuotationItem;
  open: List;
  pending: List;
  tab: LeverTab;
  onTab: (tab: LeverTab) => void;
}) {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const signInAddress = useSignInAddress();
  const [onlyPair, setOnlyPair] = useKept('orders.onlyPair', false);
  const only = onlyPair ? pair : undefined;
  const rowsOf = (list: List) => list.board?.rows.filter(({ symbol }) => !only || symbol === only.symbol);
  const positions = rowsOf(open);
  const entrusts = rowsOf(pending);
  const hasOtherPairs = [open, pending].some((list) => list.board?.rows.some(({ symbol }) => symbol !== pair.symbol));
  const bySide = (type: 1 | 2) => entrusts?.filter((row) => row.type === type);
  const counted = (name: string, rows: readonly unknown[] | undefined): string =>
    rows?.length ? `${name} (${rows.length})` : name;
  return (
    <Tabs<LeverTab>
      label={t('lever.positions')}
      value={tab}
      onChange={onTab}
      panelClassName="flex min-h-0 flex-1 flex-col"
      tabs={[
        { id: 'open', label: counted(t('lever.positions'), positions) },
        { id: 'buy', label: counted(t('lever.entrustsLong'), bySide(1)) },
        { id: 'sell', label: counted(t('lever.entrustsShort'), bySide(2)) },
        { id: 'history', label: t('orders.history') },
        { id: 'fills', label: t('lever.fills') },
      ]}
      end={
        signedIn && (
          <div className="flex shrink-0 items-center gap-2 px-3 py-1">
            {(hasOtherPairs || tab === 'history' || tab === 'fills') && (
              <Checkbox
                className="max-md:hidden"
                label={t('orders.onlyPair')}
                checked={onlyPair}
                onChange={(event) => setOnlyPair(event.target.checked)}
              />
            )}
            {tab === 'fills' && <PositionsExport only={only} />}
            {tab === 'open' && (
              <CloseAll
                rows={positions}
                scope={{ legal_id: pair.legal_id, ...(onlyPair && { currency_id: pair.currency_id }) }}
              />
            )}
          </div>
        )
      }
    >
      {!signedIn ? (
        <Empty
          action={
            <Link className="text-accent underline" to={signInAddress}>
              {t('nav.login')}
            </Link>
          }
        >
          {t('lever.guest')}
        </Empty>
      ) : tab === 'open' ? (
        <OpenPositions list={open} rows={positions} />
      ) : tab === 'buy' || tab === 'sell' ? (
        <PendingEntrusts list={pending} rows={bySide(tab === 'buy' ? 1 : 2)} />
      ) : tab === 'history' ? (
        <PositionHistory key="history" label={t('orders.history')} pair={only} />
      ) : (
        <PositionHistory key="fills" label={t('lever.fills')} status={3} pair={only} />
      )}
    </Tabs>
  );
}
