import { Check, Minus, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Center, UserInfo } from '@bourse/contract';
import { cx, Num, Skeleton } from '@bourse/ui';
import { isWellProtected, levelName, steps } from '../model/security.js';
import { Failed } from '../../../parts/failed.js';
import { Section } from './parts.js';

/** The security level of the account: a bar of four parts with its number, its name and the meaning of each part. */
export function SecurityLevel({
  info,
  center,
  failed,
  retry,
}: {
  info: UserInfo;
  center: Center | undefined;
  failed: boolean;
  retry: () => void;
}) {
  const { t } = useTranslation();
  if (failed)
    return (
      <Section title={t('security.level')}>
        <Failed retry={retry} />
      </Section>
    );
  const name = center && levelName(center.security_level);
  const strong = center !== undefined && isWellProtected(center.security_level);
  const Shield = strong ? ShieldCheck : ShieldAlert;
  return (
    <Section title={t('security.level')} className="flex flex-col gap-4 p-3">
      {!center || !name ? (
        <Skeleton className="h-35 w-full md:h-16" />
      ) : (
        <>
          <div className="flex items-center gap-3">
            <Shield size={28} aria-hidden className={strong ? 'text-up' : 'text-warn'} />
            <div
              className="flex-1"
              role="meter"
              aria-label={t('security.level')}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={center.security_level}
              aria-valuetext={`${center.security_level} %, ${t(`security.level.${name}`)}`}
            >
              <div className="flex gap-1">
                {[25, 50, 75, 100].map((mark) => (
                  <span
                    key={mark}
                    className={cx(
                      'h-2 flex-1 rounded-chip',
                      center.security_level >= mark ? (strong ? 'bg-up' : 'bg-warn') : 'bg-bg3',
                    )}
                  />
                ))}
              </div>
            </div>
            <p className="text-button font-medium">
              <Num>{center.security_level} %</Num> · {t(`security.level.${name}`)}
            </p>
          </div>
          <ul className="grid gap-x-6 gap-y-2 text-table md:grid-cols-2 lg:grid-cols-4">
            {steps(info, center).map(({ id, done }) => (
              <li key={id} className={cx('flex items-center gap-2', done ? 'text-t1' : 'text-t2')}>
                {done ? (
                  <Check size={14} aria-hidden className="text-up" />
                ) : (
                  <Minus size={14} aria-hidden className="text-warn" />
                )}
                <span>
                  {t(`security.step.${id}`)}
                  <span className="sr-only">: {t(done ? 'security.done' : 'security.missing')}</span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
