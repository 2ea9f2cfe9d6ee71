import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { Alert, Badge, Empty, Num, Skeleton } from '@bourse/ui';
import { useAdminQuery } from '../../core/calls.js';
import { PageHead, Section } from '../../parts/detail.js';
import { Failed } from '../../parts/failed.js';
import { PersonLink } from '../../parts/person-link.js';
import { SEARCH_MIN, wayTo } from './search-model.js';

const PATH = '/api/admin/search';

/** Results for the text in the address: people, money in and out, orders, deals. Each leads to its own screen. */
export default function Search() {
  const { t } = useTranslation();
  const [address] = useSearchParams();
  const text = (address.get('text') ?? '').trim();
  const isLong = text.length >= SEARCH_MIN;
  const query = useAdminQuery(PATH, { text }, { enabled: isLong });
  return (
    <>
      <PageHead title={t('place.search')} />
      {query.data && query.data.missing.length > 0 && (
        <Alert tone="warn">{t('search.missing', { names: query.data.missing.join(', ') })}</Alert>
      )}
      {isLong ? (
        <Section title={<bdi className="break-all">{text}</bdi>}>
          {query.isError ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : !query.data ? (
            <Skeleton className="h-24 w-full" />
          ) : query.data.found.length === 0 ? (
            <Empty>{t('search.nothing')}</Empty>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {query.data.found.map((thing) => (
                <li key={`${thing.kind} ${thing.id}`} className="flex flex-wrap items-center gap-3 py-2">
                  <Badge>{t(`search.kind.${thing.kind}`)}</Badge>
                  <Link to={wayTo(thing)} className="underline underline-offset-2 hover:text-accent">
                    <bdi>{thing.title}</bdi> <Num className="break-all text-t2">{thing.id}</Num>
                  </Link>
                  {thing.kind !== 'user' && thing.user_id > 0 && <PersonLink id={thing.user_id} />}
                </li>
              ))}
            </ul>
          )}
        </Section>
      ) : (
        <Empty>{t('search.short', { count: SEARCH_MIN })}</Empty>
      )}
    </>
  );
}
