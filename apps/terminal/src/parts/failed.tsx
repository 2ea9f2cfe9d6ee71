import { useTranslation } from 'react-i18next';
import { Button, Empty } from '@bourse/ui';

/** The placeholder of something that could not be loaded: it says so and offers to try again. */
export function Failed({ retry, children }: { retry: () => void; children?: string }) {
  const { t } = useTranslation();
  return (
    <Empty
      action={
        <Button size="small" onClick={retry}>
          {t('common.retry')}
        </Button>
      }
    >
      {children ?? t('common.loadFailed')}
    </Empty>
  );
}
