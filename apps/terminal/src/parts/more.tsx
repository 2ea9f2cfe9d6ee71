import { useTranslation } from 'react-i18next';
import { Button } from '@bourse/ui';

/** The way to further rows, and the word that there are none. */
export function More({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  const { t } = useTranslation();
  return (
    <div className="p-2 text-center text-table text-t2">
      {query.hasNextPage ? (
        <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('common.loadMore')}
        </Button>
      ) : (
        t('common.noMore')
      )}
    </div>
  );
}
