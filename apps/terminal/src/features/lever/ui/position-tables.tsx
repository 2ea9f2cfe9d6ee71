import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, keys, newIntent, nextPage } from '@bourse/api-client';
import type { LeverPosition } from '@bourse/contract';
import { Button, cx, Table, type Column } from '@bourse/ui';
import { leverNewsId } from '../../../core/notifications/entries.js';
import { toastAnswer } from '../../../core/notifications/store.js';
import { toastError } from '@bourse/web';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { endPosition, listPage, useActing, type useBoard } from '../api/lever.js';
import { useHistoryColumns, useOpenColumns, usePendingColumns } from './position-columns.js';
import { StopDialog } from './stop-dialog.js';
import { scalesOfRow, usePairs } from './use-pairs.js';

type BoardList = ReturnType<typeof useBoard>;

/** Ends a row: a press is one act, its words are those of the server. */
export function useEnd(): (row: LeverPosition) => void {
  const { t } = useTranslation();
  return (row) =>
    void endPosition(row, newIntent()).then(
      (message) => toastAnswer(leverNewsId([row.id]), message),
      (error: unknown) => {
        // A refusal is told by the shell, and the row comes back by itself.
        if (!(error instanceof ApiError)) toastError(t('lever.noAnswer'));
      },
    );
}

/** Open positions with their stops, and the close of one press. */
export function OpenPositions({ list, rows }: { list: BoardList; rows?: readonly LeverPosition[] | undefined }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const end = useEnd();
  const acting = useActing((state) => state.ids);
  const [stopsOf, setStopsOf] = useState<string | undefined>();
  const shown = rows ?? list.board?.rows;
  const chosen = shown?.find(({ id }) => id === stopsOf);
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
            // What is shown stands in the name, so that who speaks to the page is understood.
            aria-label={`${t('lever.setStops')}: ${t('lever.setStopsOf', { pair: row.symbol })}`}
            onClick={() => setStopsOf(row.id)}
          >
            {t('lever.setStops')}
          </Button>
          <Button
            size="small"
            kind="danger"
            busy={acting.has(row.id)}
            aria-label={t('lever.closeOne', { pair: row.symbol })}
            onClick={() => end(row)}
          >
            {t('lever.close')}
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
      />
      {chosen && (
        <StopDialog row={chosen} pair={scalesOfRow(pairs.get(chosen.symbol))} onClose={() => setStopsOf(undefined)} />
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

/** What is over, or everything, page after page. */
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
  const rows = list.data?.pages.flatMap(({ data }) => data);
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
