import { useTranslation } from 'react-i18next';
import { ApiError } from '@bourse/api-client';
import { Button, Empty } from '@bourse/ui';

/** The placeholder of a failed read: the server's message, or that no answer came, and a retry button. */
export function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <Empty
        action={
          <Button size="small" onClick={retry}>
            {t('common.retry')}
          </Button>
        }
      >
        {error instanceof ApiError ? error.message : t('common.loadFailed')}
      </Empty>
    </div>
  );
}
