import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Num, Skeleton } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { countdown } from '../../../parts/countdown.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { useNow } from '../../../parts/use-now.js';
import { authorizationCode, KEYS } from '../api/account.js';
import { SettingRow } from './parts.js';

/**
 * A code that signs in another device. It is hidden until requested, because anyone who reads it can sign in; its
 * time runs in text.
 */
export function AuthorizationCode() {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const { data, isError, refetch, isFetching, dataUpdatedAt } = useQuery({
    queryKey: KEYS.authorization,
    enabled: shown,
    gcTime: 0,
    staleTime: 0,
    queryFn: () => authorizationCode(api),
  });
  const now = useNow(shown);
  const left = data ? Math.max(0, data.seconds - Math.max(0, Math.floor((now - dataUpdatedAt) / 1_000))) : 0;
  const over = data !== undefined && left === 0;
  return (
    <SettingRow
      title={t('security.authorization')}
      note={
        <>
          {shown &&
            !isError &&
            (data ? (
              <>
                <Num className="font-mono text-title text-t1">{over ? '––––––––' : data.code}</Num>{' '}
                <span aria-hidden={!over}>
                  {over
                    ? t('security.codeOver')
                    : t('security.codeLeft', { time: `\u2066${countdown(left * 1_000)}\u2069` })}
                </span>
                <br />
              </>
            ) : (
              <Skeleton className="my-1 h-4 w-40" />
            ))}
          {t('security.authorizationNote')}
        </>
      }
    >
      {!shown ? (
        <Button size="small" onClick={() => setShown(true)}>
          {t('security.showCode')}
        </Button>
      ) : over || isError ? (
        <Button size="small" busy={isFetching} onClick={() => void refetch()}>
          {t(isError ? 'common.retry' : 'security.newCode')}
        </Button>
      ) : (
        <>
          <CopyButton text={data?.code ?? ''} what={t('security.authorization')} />
          <Button size="small" kind="quiet" onClick={() => setShown(false)}>
            {t('security.hideCode')}
          </Button>
        </>
      )}
    </SettingRow>
  );
}
