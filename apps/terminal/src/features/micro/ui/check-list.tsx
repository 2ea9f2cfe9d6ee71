import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cx, Panel, Skeleton } from '@bourse/ui';
import { verifyReceipt, type Finding } from '@bourse/verify';

/** Every check of the verifier with its outcome; a fault is named in the verifier's own words. */
export function CheckList({ file, publishedKey }: { file: unknown; publishedKey: string | null }) {
  const { t } = useTranslation();
  const [findings, setFindings] = useState<readonly Finding[] | undefined>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    setFindings(undefined);
    setFailed(false);
    verifyReceipt(file, publishedKey).then(
      (found) => {
        if (!gone) setFindings(found);
      },
      (error: unknown) => {
        console.warn('receipt not checked', error);
        if (!gone) setFailed(true);
      },
    );
    return () => {
      gone = true;
    };
  }, [file, publishedKey]);
  // Browsers have WebCrypto on secure pages only.
  if (failed || !globalThis.crypto.subtle)
    return (
      <p role="alert" className="text-down">
        {t('micro.noCrypto')}
      </p>
    );
  if (!findings) return <Skeleton className="h-72 w-full" />;
  const holds = findings.every(({ fault }) => fault === null);
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <h2 className="text-title font-semibold">{t('micro.checks')}</h2>
      <p role="status" className={cx('text-title font-medium', holds ? 'text-up' : 'text-down')}>
        {holds ? `✓ ${t('micro.holds')}` : `✗ ${t('micro.holdsNot')}`}
      </p>
      <ul className="flex flex-col gap-1.5">
        {findings.map(({ check, fault }) => (
          <li key={check} className="flex items-start gap-2">
            <span className={fault === null ? 'text-up' : 'text-down'} aria-hidden>
              {fault === null ? '✓' : '✗'}
            </span>
            <span className="min-w-0">
              <span className="sr-only">{t(fault === null ? 'micro.checkGood' : 'micro.checkBad')}: </span>
              {t(`micro.check.${check}`)}
              {fault !== null && (
                <bdi dir="ltr" lang="en" className="block text-table break-words text-down">
                  {fault}
                </bdi>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
