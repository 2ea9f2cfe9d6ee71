import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { Panel, Skeleton } from '@bourse/ui';
import { ComplainLink } from '../../../parts/complain-link.js';
import { Failed } from '../../../parts/failed.js';
import { microKeys } from '../api/micro.js';
import { publishedKey, receiptFile } from '../api/receipt.js';
import { ReceiptChecks } from './receipt-checks.js';
import { ReceiptOrder } from './receipt-order.js';
import { ReceiptTicks } from './receipt-ticks.js';
import { SaveReceipt } from './save-receipt.js';

/** The receipt of one contract: what was agreed, what judged it, and the proof, checked in this browser. */
export default function ReceiptPage() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const id = query.get('id') ?? '';
  const receipt = useQuery({
    queryKey: microKeys.receipt(id),
    enabled: /^\d{1,30}$/.test(id),
    // A closed contract does not change any more; one that runs is asked for again.
    staleTime: ({ state }) => (state.data?.receipt.order.status === 3 ? Infinity : 0),
    refetchInterval: ({ state }) => (state.data?.receipt.order.status === 1 ? 2_000 : false),
    queryFn: () => receiptFile(id),
  });
  const file = receipt.data;
  const key = useQuery({
    queryKey: [...microKeys.receipt(id), 'key'],
    enabled: file?.receipt.order.status === 3,
    staleTime: Infinity,
    queryFn: () => publishedKey(file),
  });
  return (
    <div className="mx-auto flex w-full max-w-[960px] flex-col gap-4 p-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <Link to="/secondsOrder" className="text-table text-t2 underline hover:text-t1">
            {t('nav.micro')}
          </Link>
          <h1 className="text-last font-semibold">{t('micro.receipt')}</h1>
          <p className="mt-1 max-w-prose text-t2">{t('micro.receiptLead')}</p>
        </div>
        {file?.receipt.order.status === 3 && <SaveReceipt file={file} />}
      </div>
      {(receipt.isError && !receipt.data) || !/^\d{1,30}$/.test(id) ? (
        <Panel>
          <Failed retry={() => void receipt.refetch()}>{t('micro.noReceipt')}</Failed>
        </Panel>
      ) : !file ? (
        <Skeleton className="h-96 w-full" />
      ) : (
        <>
          <ReceiptOrder receipt={file.receipt} />
          <p>
            <ComplainLink kind="trade" about={file.receipt.order.id} />
          </p>
          <ReceiptTicks file={file} />
          {file.receipt.order.status !== 3 ? (
            <p role="status" className="text-t2">
              {t('micro.stillRuns')}
            </p>
          ) : key.isError && !key.data ? (
            <Failed retry={() => void key.refetch()} />
          ) : key.data === undefined ? (
            <Skeleton className="h-72 w-full" />
          ) : (
            <ReceiptChecks file={file} publishedKey={key.data} />
          )}
        </>
      )}
    </div>
  );
}
