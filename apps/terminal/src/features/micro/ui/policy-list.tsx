import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Insurance, InsuranceType } from '@bourse/contract';
import { atMost, Badge, Button, DescriptionList, grouped, Num, Panel, Skeleton } from '@bourse/ui';
import { collectRows } from '../../../parts/collect-rows.js';
import { ComplainLink } from '../../../parts/complain-link.js';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { Time } from '../../../parts/time.js';
import { usePolicies } from '../api/insurance.js';
import { EndDialog, type Ending } from './end-dialog.js';
import { VaultGauge } from './vault-gauge.js';

/** The person's policies, newest first; the active ones with their vault and what can be done. */
export function PolicyList({ types }: { types: readonly InsuranceType[] | undefined }) {
  const { t } = useTranslation();
  const query = usePolicies();
  const [ending, setEnding] = useState<Ending | undefined>();
  const rows = collectRows(query.data, ({ data }) => data);
  return (
    <Panel>
      <h2 className="border-b border-line px-4 py-3 text-title font-semibold">{t('insurance.mine')}</h2>
      {query.isError && !query.data ? (
        <Failed retry={() => void query.refetch()} />
      ) : !rows ? (
        <Skeleton className="m-4 h-32" />
      ) : rows.length === 0 ? (
        <p className="p-6 text-center text-t2">{t('insurance.none')}</p>
      ) : (
        <>
          <ul>
            {rows.map((policy) => (
              <li key={policy.id} className="flex flex-col gap-3 border-b border-line p-4 last:border-b-0">
                <Policy
                  policy={policy}
                  type={types?.find(({ id }) => id === policy.insurance_type_id)}
                  onEnd={(what) => setEnding({ what, policy })}
                />
              </li>
            ))}
          </ul>
          <More query={query} />
        </>
      )}
      {ending && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
    </Panel>
  );
}

const TONES = { 1: 'accent', 2: 'info', 3: 'plain', 4: 'up' } as const;

function Policy({
  policy,
  type,
  onEnd,
}: {
  policy: Insurance;
  type: InsuranceType | undefined;
  onEnd: (what: Ending['what']) => void;
}) {
  const { t } = useTranslation();
  const money = (text: string): string => `${grouped(atMost(text, 8))} ${policy.currency_name}`;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          <Num>{type?.name ?? policy.currency_name}</Num>
          <Badge tone={TONES[policy.status]}>{t(`insurance.status.${policy.status}`)}</Badge>
        </h3>
        {policy.status === 1 && (
          <div className="flex gap-2">
            <Button size="small" kind="primary" disabled={policy.claimable === 0} onClick={() => onEnd('claim')}>
              {t('insurance.claim')}
            </Button>
            <Button size="small" kind="danger" onClick={() => onEnd('cancel')}>
              {t('insurance.cancel')}
            </Button>
          </div>
        )}
      </div>
      {policy.status === 1 && type && <VaultGauge policy={policy} type={type} />}
      <DescriptionList
        facts={[
          { id: 'amount', name: t('insurance.amount'), value: <Num>{money(policy.amount)}</Num> },
          { id: 'premium', name: t('insurance.premium'), value: <Num>{money(policy.premium)}</Num> },
          { id: 'bought', name: t('insurance.boughtAt'), value: <Time>{policy.created_at}</Time> },
          ...(policy.ended_at === ''
            ? []
            : [{ id: 'ended', name: t('insurance.ended'), value: <Time>{policy.ended_at}</Time> }]),
        ]}
      />
      <p>
        <ComplainLink kind="other" about={policy.id} />
      </p>
    </>
  );
}
