import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { Empty, Skeleton } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { PageHead } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { addressOf } from '../../../paths.js';
import { PAPERS_PATH, PICTURES_GOOD_MS } from '../model/queue.js';
import { Case } from './case.js';

/** The identity papers of one person in any state of review. */
export default function KycCase() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const list = useAdminQuery(PAPERS_PATH, { user_id: id }, { everyMs: PICTURES_GOOD_MS });
  const papers = list.data?.data[0];
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <PageHead
        title={t('console.kyc.title')}
        back={
          <Link to={addressOf('kyc')} className="text-table underline hover:text-t2">
            {t('console.kyc.queue')}
          </Link>
        }
      />
      {list.isPending && <Skeleton className="h-80 w-full" />}
      {list.isError && !list.data && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data && !papers && <Empty>{t('console.kyc.noPapers')}</Empty>}
      {papers && <Case key={papers.user_id} papers={papers} />}
    </div>
  );
}
