import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PUSH_GROUPS, type PushDevice, type PushGroup } from '@bourse/contract';
import { Alert, Button, Skeleton, Switch } from '@bourse/ui';
import { toastError } from '@bourse/web';
import { ApiError, api, queryClient } from '../../../core/api.js';
import { canPush, readPush, switchOffPush, switchOnPush } from '../../../core/push.js';
import { Failed } from '../../../parts/failed.js';
import { Time } from '../../../parts/time.js';
import { KEYS } from '../api/account.js';
import { deviceName } from '../model/security.js';
import { Section } from './parts.js';

const LABELS = {
  trades: 'prefs.pushTrades',
  deals: 'prefs.pushDeals',
  account: 'prefs.pushAccount',
  alerts: 'prefs.pushAlerts',
} as const satisfies Record<PushGroup, string>;

/** Push messages of this device by kind, and the other devices that get them. */
export function PushSettings() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery({ queryKey: KEYS.push, queryFn: readPush });
  const [busy, setBusy] = useState(false);
  const chosen = data?.own?.groups ?? [];
  const change = async (run: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await run();
    } catch (failure) {
      toastError(
        failure instanceof ApiError ? failure.message : t(isForbidden(failure) ? BLOCKED : 'prefs.pushFailed'),
      );
    } finally {
      await queryClient.invalidateQueries({ queryKey: KEYS.push });
      setBusy(false);
    }
  };
  const set = (groups: readonly PushGroup[]): void =>
    void change(() => switchOnPush(groups, deviceName(navigator.userAgent)));
  const remove = ({ id }: PushDevice): void => void change(() => api.post('/api/push/remove', { id }, { quiet: true }));
  const others = data?.devices.filter(({ id }) => id !== data.own?.id) ?? [];
  const blocked = canPush() && Notification.permission === 'denied';
  if (isError && !data) return <Failed retry={() => void refetch()} />;
  return (
    <Section title={t('prefs.push')} lead={t('prefs.pushNote')} className="flex flex-col gap-4 p-4">
      {!data && <Skeleton className="h-10" />}
      {data && !canPush() && <Alert tone="info">{t('prefs.pushUnsupported')}</Alert>}
      {data && blocked && <Alert tone="warn">{t(BLOCKED)}</Alert>}
      {data && canPush() && !blocked && (
        <Switch
          label={t('prefs.pushOn')}
          checked={data.own !== undefined}
          busy={busy}
          onChange={(on) => (on ? set(PUSH_GROUPS) : void change(switchOffPush))}
        />
      )}
      {data?.own &&
        PUSH_GROUPS.map((group) => (
          <Switch
            key={group}
            label={t(LABELS[group])}
            checked={chosen.includes(group)}
            busy={busy}
            onChange={(on) => set(PUSH_GROUPS.filter((one) => (one === group ? on : chosen.includes(one))))}
          />
        ))}
      {others.length > 0 && (
        <div>
          <h3 className="text-label text-t2">{t('prefs.pushDevices')}</h3>
          <ul className="divide-y divide-line">
            {others.map((device) => (
              <li key={device.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
                <span>
                  {device.label || `#${device.id}`} <Time>{device.seen_time}</Time>
                </span>
                <Button
                  size="small"
                  disabled={busy}
                  aria-label={`${t('prefs.pushRemove')}: ${device.label}`}
                  onClick={() => remove(device)}
                >
                  {t('prefs.pushRemove')}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
}

const BLOCKED = 'prefs.pushBlocked';
const isForbidden = (failure: unknown): boolean =>
  failure instanceof DOMException && failure.name === 'NotAllowedError' && Notification.permission === 'denied';
