import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Clock3 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { keys } from '@bourse/api-client';
import { cx, Num, Panel } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { useServerConfig } from '../../../core/config.js';
import { useSession } from '../../../core/session.js';
import { useWallet } from '../../../core/wallet.js';
import { firstSteps, type Step } from '../model/first-steps.js';
import { ActionLink, PageTitle } from './parts.js';
import { useCenter } from './use-center.js';

/** The steps up to the first order, each with its state, its duration and a link. */
export default function FirstSteps() {
  const { t } = useTranslation();
  const info = useSession((session) => session.info);
  const center = useCenter();
  const { wallet } = useWallet();
  const orders = useQuery({
    queryKey: [...keys.orders, 'any'],
    queryFn: async () => (await api.get('/api/coin/list', { page: 1, limit: 1 }, { quiet: true })).message.data,
  });
  const steps = firstSteps({ info, center: center.data, wallet, hasOrder: (orders.data?.length ?? 0) > 0 });
  const done = steps.filter(({ state }) => state === 'done').length;
  const next = steps.find(({ state }) => state === 'open');
  return (
    <>
      <PageTitle lead={t(next ? 'steps.lead' : 'steps.allDone')}>{t('nav.firstSteps')}</PageTitle>
      <p className="mb-3 flex flex-wrap items-center gap-3 text-table text-t2">
        <span
          role="meter"
          aria-label={t('nav.firstSteps')}
          aria-valuenow={done}
          aria-valuemin={0}
          aria-valuemax={steps.length}
          className="flex gap-1"
        >
          {steps.map((step, at) => (
            <span
              key={step.id}
              className={cx(
                'h-1.5 w-10 rounded-full border',
                at < done ? 'border-accent bg-accent' : 'border-line-strong',
              )}
            />
          ))}
        </span>
        {t('steps.done', { done, all: steps.length })}
      </p>
      <Panel>
        <ol>
          {steps.map((step, at) => (
            <Row key={step.id} step={step} number={at + 1} isNext={step === next} />
          ))}
        </ol>
      </Panel>
    </>
  );
}

const GO = {
  fund: 'security.set',
  identity: 'security.start',
  deposit: 'nav.deposit',
  trade: 'steps.toTrade',
} as const satisfies Record<Step['id'], string>;

function Row({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const { t } = useTranslation();
  const isDemo = useServerConfig()?.dev === 1;
  const { id, state, to } = step;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-4 first:border-t-0">
      <span aria-hidden className="grid size-8 shrink-0 place-items-center">
        {state === 'done' ? (
          <CircleCheck size={24} className="text-up" />
        ) : state === 'waiting' ? (
          <Clock3 size={24} className="text-info" />
        ) : (
          <span
            className={cx(
              'grid size-7 place-items-center rounded-full border text-button',
              isNext ? 'border-accent text-t1' : 'border-line-strong text-t2',
            )}
          >
            <Num>{number}</Num>
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1 basis-52">
        <span className="block text-button font-medium">{t(`steps.${id}`)}</span>
        <span className="block text-table text-t2">
          {t(id === 'deposit' && isDemo ? 'steps.depositDemo' : `steps.${id}Note`)}
        </span>
        <span className={cx('block text-table', state === 'done' ? 'text-up' : 'text-t2')}>
          {state === 'open' ? t(`steps.${id}Time`) : t(state === 'done' ? 'steps.stepDone' : 'identity.review')}
        </span>
      </span>
      {state !== 'done' && (
        <ActionLink to={to} what={t(`steps.${id}`)} primary={isNext}>
          {t(state === 'waiting' ? 'security.view' : GO[id])}
        </ActionLink>
      )}
    </li>
  );
}
