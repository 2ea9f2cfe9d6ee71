import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { nextPage } from '@bourse/api-client';
import type { Complaint, ComplaintKind } from '@bourse/contract';
import { Badge, Button, cx, Empty, Num, Panel, PERSONAL_TEXT, Skeleton } from '@bourse/ui';
import { api, queryClient } from '../../../core/api.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';
import { collectRows } from '../../../parts/collect-rows.js';
import { complaintPage, COMPLAINTS } from '../api/complaints.js';
import { KIND_TEXTS, STATES } from './kinds.js';
import { NewComplaint } from './new-complaint.js';

/** Own complaints, what moved last first. */
export function ComplaintList({
  begun,
  onBegin,
  onEnd,
  onOpen,
}: {
  begun: { readonly kind: ComplaintKind; readonly about: string } | null;
  onBegin: () => void;
  onEnd: () => void;
  onOpen: (id: number) => void;
}) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: [...COMPLAINTS, 'list'],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => complaintPage(api, pageParam),
    getNextPageParam: nextPage,
  });
  const rows = collectRows(list.data, (page) => page.data);
  const sent = (id: number): void => {
    void queryClient.invalidateQueries({ queryKey: COMPLAINTS });
    onOpen(id);
  };
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h1 className="text-last font-semibold">{t('nav.complaints')}</h1>
          <p className="max-w-prose text-t2">{t('complaints.lead')}</p>
        </div>
        <Button kind="primary" onClick={onBegin}>
          {t('complaints.new')}
        </Button>
      </div>
      <Panel>
        {list.isError && !rows && <Failed retry={() => void list.refetch()} />}
        {list.isPending && <Skeleton className="m-4 h-40" />}
        {rows?.length === 0 && <Empty>{t('complaints.none')}</Empty>}
        {rows && rows.length > 0 && (
          <>
            <ul aria-label={t('nav.complaints')}>
              {rows.map((row) => (
                <ComplaintRow key={row.id} row={row} />
              ))}
            </ul>
            <More query={list} />
          </>
        )}
      </Panel>
      {begun && <NewComplaint begun={begun} onClose={onEnd} onSent={sent} />}
    </>
  );
}

function ComplaintRow({ row }: { row: Complaint }) {
  const { t } = useTranslation();
  const { text, tone } = STATES[row.state];
  return (
    <li className="border-b border-line">
      <Link
        to={`/complaints?id=${row.id}`}
        className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 hover:bg-bg2"
      >
        <span
          className={cx('min-w-0 flex-1 break-words', row.unread > 0 && 'font-semibold text-down')}
          {...PERSONAL_TEXT}
        >
          {row.subject}
          {row.unread > 0 && <span className="sr-only"> ({t('inbox.unread')})</span>}
        </span>
        <span className="text-table text-t2">
          {t(KIND_TEXTS[row.kind])} {row.about !== '' && <Num>{row.about}</Num>}
        </span>
        <Badge tone={tone}>{t(text)}</Badge>
        <span className="text-table text-t2">
          <Time>{row.update_time}</Time>
        </span>
      </Link>
    </li>
  );
}
