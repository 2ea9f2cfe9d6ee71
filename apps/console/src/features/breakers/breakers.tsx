import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, Button, Empty, Skeleton, type Tone } from '@bourse/ui';
import { useMay } from '../../core/operator.js';
import { useDashboard } from '../../core/work.js';
import { ActDialog } from '../../parts/act-dialog.js';
import { PageHead, Section } from '../../parts/detail.js';
import { Failed } from '../../parts/failed.js';
import { modeOfAll, MODES } from './breakers-model.js';
import { Partitions } from './partitions.js';

/** The scopes that can be stopped besides single pairs (api §2.12). */
const PRODUCTS = ['all', 'withdraw', 'c2c', 'lever', 'micro', 'savings', 'points'] as const;
const TONES: Record<string, Tone> = { normal: 'up', cancel_only: 'warn', halted: 'down' };

/**
 * Stops and opens markets and products. After a freeze by the auditors only a clean round of theirs opens them again.
 */
export default function Breakers() {
  const { t } = useTranslation();
  const may = useMay('admin');
  const { data, error, isError, refetch } = useDashboard();
  const [scope, setScope] = useState<string>();
  const everything = modeOfAll(data?.breakers.map(({ mode }) => mode) ?? []);
  const set = new Map<string, string>([
    ['all', everything.mode],
    ...(data?.breakers.map(({ scope: one, mode }) => [one, mode] as const) ?? []),
  ]);
  const scopes = [
    ...new Set([...PRODUCTS, ...set.keys(), ...(data?.volumes.map(({ symbol }) => symbol).sort() ?? [])]),
  ];
  return (
    <>
      <PageHead title={t('place.breakers')} />
      <Section title={t('breaker.scopes')}>
        <p className="text-t2">{t('breaker.text')}</p>
        {isError && !data ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Skeleton className="h-40 w-full" />
        ) : scopes.length === 0 ? (
          <Empty>{t('list.empty')}</Empty>
        ) : (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-2">
            {scopes.map((one) => {
              const mode = set.get(one) ?? 'normal';
              return (
                <li
                  key={one}
                  data-scope={one}
                  className="flex items-center justify-between gap-2 rounded-panel border border-line bg-bg2 p-3"
                >
                  <span className="flex min-w-0 flex-wrap items-center gap-2">
                    <bdi>{PRODUCTS.some((name) => name === one) ? t(`breaker.scope.${one}`) : one}</bdi>
                    <Badge tone={TONES[mode] ?? 'plain'}>
                      {one === 'all' && everything.partly
                        ? t('breaker.partly', { mode: t(`breaker.mode.${mode}`) })
                        : t(`breaker.mode.${mode}`)}
                    </Badge>
                  </span>
                  {may && (
                    <Button size="small" onClick={() => setScope(one)}>
                      {t('breaker.set')}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </Section>
      <Partitions />
      <ActDialog
        open={scope !== undefined}
        onClose={() => setScope(undefined)}
        title={t('breaker.title', { scope: scope && t(`breaker.scope.${scope}`, scope) })}
        explain={t('breaker.explain')}
        danger
        fields={[
          {
            name: 'mode',
            label: t('breaker.modeLabel'),
            kind: 'choice',
            required: true,
            options: MODES.map((value) => ({ value, label: t(`breaker.mode.${value}`) })),
          },
        ]}
        initial={{ mode: (scope !== undefined && set.get(scope)) || 'normal' }}
        action={t('breaker.setMode')}
        path="/api/admin/breaker"
        body={{ scope }}
        invalidate={['/api/admin/reconciliation']}
      />
    </>
  );
}
