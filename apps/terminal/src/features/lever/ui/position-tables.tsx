import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, keys, newIntent, nextPage } from '@bourse/api-client';
import type { LeverPosition } from '@bourse/contract';
import { ArrowUpDown, Crosshair, X } from 'lucide-react';
import { Button, cx, Dialog, Table, type Column } from '@bourse/ui';
import { useKept } from '../../../prefs/use-kept.js';
import { leverNewsId } from '../../../core/notifications/entries.js';
import { toastAnswer } from '../../../core/notifications/store.js';
import { lazyScreen, toastError } from '@bourse/web';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { coverOf, endPosition, listPage, useActing, type CloseTerms, type useBoard } from '../api/lever.js';
import { CloseQuestion } from './close-question.js';
import { CoverList } from './cover-list.js';
import { useHistoryColumns, useOpenColumns, usePendingColumns } from './position-columns.js';
import { StopDialog } from './stop-dialog.js';
import { scalesOfRow, usePairs } from './use-pairs.js';

/** Few people reverse a position. */
const ReverseDialog = lazyScreen(async () => ({ default: (await import('./reverse-dialog.js')).ReverseDialog }));

type BoardList = ReturnType<typeof useBoard>;

/** A position whose close also closes others, once its owner agrees. */
interface Covered {
  readonly row: LeverPosition;
  readonly share: number | undefined;
  readonly ids: readonly string[];
}

/** Ends a row: a press is one act, its words are those of the server. @param ask confirms the close of the cover */
function useEnd(ask?: (covered: Covered) => void): (row: LeverPosition, terms?: CloseTerms) => void {
  const { t } = useTranslation();
  return (row, terms = {}) =>
    void endPosition(row, newIntent(), terms).then(
      ({ message, ended }) => toastAnswer(leverNewsId([ended.id]), message),
      (error: unknown) => {
        const ids = coverOf(error);
        if (ids) ask?.({ row, share: terms.share, ids });
        // The shell shows a refusal, and the row comes back by itself.
        if (!(error instanceof ApiError)) toastError(t('lever.noAnswer'));
      },
    );
}

/** Open positions with their stops, and the close, which asks first unless that was switched off. */
export function OpenPositions({ list, rows }: { list: BoardList; rows?: readonly LeverPosition[] | undefined }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const [covered, setCovered] = useState<Covered | undefined>();
  const end = useEnd(setCovered);
  const acting = useActing((state) => state.ids);
  const [stopsOf, setStopsOf] = useState<string | undefined>();
  const [skipQuestion, setSkipQuestion] = useKept('lever.skipClose', false);
  const [closing, setClosing] = useState<string | undefined>();
  const [reversing, setReversing] = useState<LeverPosition | undefined>();
  const shown = rows ?? list.board?.rows;
  const chosen = shown?.find(({ id }) => id === stopsOf);
  const asked = shown?.find(({ id }) => id === closing);
  const columns: Column<LeverPosition>[] = [
    ...useOpenColumns(pairs),
    {
      id: 'action',
      header: <span className="sr-only">{t('orders.action')}</span>,
      end: true,
      sticky: true,
      cell: (row) => (
        <span className="inline-flex gap-1">
          <Button
            size="small"
            aria-label={`${t('lever.setStops')}: ${t('lever.setStopsOf', { pair: row.symbol })}`}
            title={t('lever.setStops')}
            onClick={() => setStopsOf(row.id)}
          >
            <Crosshair size={14} aria-hidden />
          </Button>
          <Button
            size="small"
            disabled={acting.has(row.id)}
            aria-label={t('lever.reverseOne', { pair: row.symbol })}
            title={t('lever.reverse')}
            onClick={() => setReversing(row)}
          >
            <ArrowUpDown size={14} aria-hidden />
          </Button>
          <Button
            size="small"
            kind="danger"
            busy={acting.has(row.id)}
            aria-label={t('lever.closeOne', { pair: row.symbol })}
            title={t('lever.close')}
            onClick={() => (skipQuestion ? end(row) : setClosing(row.id))}
          >
            <X size={14} aria-hidden />
          </Button>
        </span>
      ),
    },
  ];
  if (list.failed) return <Failed retry={list.retry} />;
  return (
    <>
      <Table
        label={t('lever.positions')}
        className="min-h-0 flex-1"
        rows={shown && [...shown]}
        columns={columns}
        rowKey={(row) => row.id}
        rowClassName={(row) => cx(acting.has(row.id) && 'opacity-60')}
        empty={t('lever.emptyOpen')}
        footer={
          skipQuestion && (
            <p className="flex flex-wrap items-center gap-x-2 px-3 py-1 text-label text-t2">
              {t('lever.closeSkipped')}
              <Button kind="quiet" size="small" onClick={() => setSkipQuestion(false)}>
                {t('confirm.askAgain')}
              </Button>
            </p>
          )
        }
      />
      {asked && (
        <CloseQuestion
          row={asked}
          pair={scalesOfRow(pairs.get(asked.symbol))}
          onClose={() => setClosing(undefined)}
          onConfirm={(skip, share) => {
            setClosing(undefined);
            setSkipQuestion(skip);
            end(asked, { share });
          }}
        />
      )}
      <Suspense>
        {reversing && (
          <ReverseDialog
            row={shown?.find(({ id }) => id === reversing.id) ?? reversing}
            pair={{
              ...scalesOfRow(pairs.get(reversing.symbol)),
              legal_name: reversing.legal,
              currency_name: reversing.currency,
            }}
            onClose={() => setReversing(undefined)}
          />
        )}
      </Suspense>
      {chosen && (
        <StopDialog row={chosen} pair={scalesOfRow(pairs.get(chosen.symbol))} onClose={() => setStopsOf(undefined)} />
      )}
      {covered && (
        <Dialog
          open
          onClose={() => setCovered(undefined)}
          title={t('lever.coverTitle')}
          closeLabel={t('common.close')}
          actions={
            <>
              <Button onClick={() => setCovered(undefined)}>{t('orders.keep')}</Button>
              <Button
                kind="danger"
                onClick={() => {
                  setCovered(undefined);
                  end(covered.row, { withCover: true, share: covered.share });
                }}
              >
                {t('lever.coverClose')}
              </Button>
            </>
          }
        >
          <CoverList ids={covered.ids} />
        </Dialog>
      )}
    </>
  );
}

/** Entrusts that wait, with their revoke. */
export function PendingEntrusts({ list, rows }: { list: BoardList; rows?: readonly LeverPosition[] | undefined }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const end = useEnd();
  const acting = useActing((state) => state.ids);
  const shown = rows ?? list.board?.rows;
  const columns: Column<LeverPosition>[] = [
    ...usePendingColumns(pairs),
    {
      id: 'action',
      header: <span className="sr-only">{t('orders.action')}</span>,
      end: true,
      sticky: true,
      cell: (row) => (
        <Button
          size="small"
          busy={acting.has(row.id)}
          aria-label={t('orders.cancelOne', { pair: row.symbol })}
          onClick={() => end(row)}
        >
          {t('orders.cancel')}
        </Button>
      ),
    },
  ];
  if (list.failed) return <Failed retry={list.retry} />;
  return (
    <Table
      label={t('lever.entrusts')}
      className="min-h-0 flex-1"
      rows={shown && [...shown]}
      columns={columns}
      rowKey={(row) => row.id}
      empty={t('lever.emptyPending')}
    />
  );
}

/** Closed positions, or all of them, page after page. */
export function PositionHistory({
  label,
  status,
  pair,
}: {
  label: string;
  status?: 2 | 3 | 4;
  pair?: { legal_id: number; currency_id: number } | undefined;
}) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const columns = useHistoryColumns(pairs);
  const fields = { status, legal_id: pair?.legal_id, currency_id: pair?.currency_id };
  const list = useInfiniteQuery({
    queryKey: keys.leverHistory(JSON.stringify(fields)),
    refetchInterval: 10_000,
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await listPage(pageParam, fields)).order,
    getNextPageParam: nextPage,
  });
  if (list.isError && !list.data) return <Failed retry={() => void list.refetch()} />;
  const rows = collectRows(list.data, (page) => page.data);
  return (
    <Table
      label={label}
      className="min-h-0 flex-1"
      rows={rows && [...new Map(rows.map((row) => [row.id, row])).values()]}
      columns={columns}
      rowKey={(row) => row.id}
      empty={t('lever.empty')}
      footer={(rows?.length ?? 0) > 0 && <More query={list} />}
    />
  );
}
