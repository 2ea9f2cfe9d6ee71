import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import { Num, Panel } from '@bourse/ui';
import { status } from '../api/receipt.js';
import { FileChecker } from './file-checker.js';
import { HouseBooks } from './house-books.js';

/** Steps of the check, in order. */
const PROVED = ['prices', 'chain', 'median', 'nobody', 'house'] as const;
const STEPS = ['save', 'check', 'offline'] as const;

/** How fair is it: what is proved, how anybody checks it, and what the house has at stake. */
export default function FairnessPage() {
  const { t } = useTranslation();
  const told = useQuery({ queryKey: [...keys.status, 'house'], staleTime: 15_000, queryFn: status });
  return (
    <div className="mx-auto flex w-full max-w-[960px] flex-col gap-4 p-4">
      <div>
        <h1 className="text-last font-semibold">{t('nav.fairness')}</h1>
        <p className="mt-1 max-w-prose text-t2">{t('fairness.lead')}</p>
      </div>
      <Panel className="flex flex-col gap-2 p-4">
        <h2 className="text-title font-semibold">{t('fairness.provedTitle')}</h2>
        <ol className="flex max-w-prose list-decimal flex-col gap-2 ps-5">
          {PROVED.map((name) => (
            <li key={name}>{t(`fairness.proved.${name}`)}</li>
          ))}
        </ol>
      </Panel>
      <Panel className="flex flex-col gap-2 p-4">
        <h2 className="text-title font-semibold">{t('fairness.howTitle')}</h2>
        <ol className="flex max-w-prose list-decimal flex-col gap-2 ps-5">
          {STEPS.map((name) => (
            <li key={name}>{t(`fairness.how.${name}`)}</li>
          ))}
        </ol>
        <p>
          <Num className="rounded-chip bg-bg2 px-2 py-1 font-mono text-table break-all">
            npx bourse-verify receipt.json --key …
          </Num>
        </p>
        <p className="max-w-prose text-table text-t2">{t('fairness.limits')}</p>
      </Panel>
      <FileChecker />
      <HouseBooks query={told} />
    </div>
  );
}
