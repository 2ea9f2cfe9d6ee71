import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { AcceptorInfo, Way } from '@bourse/contract';
import { CopyButton } from '../../../parts/copy-button.js';
import { factsOf } from '../model/acceptors.js';
import { FACT_TEXT, WAY_TEXT } from './words.js';

const Qr = lazy(() => import('../../../parts/qr.js'));

/** Where an acceptor is paid, by way: each fact to copy, the account as a picture to scan. */
export function PayFacts({ info, ways }: { info: AcceptorInfo; ways: readonly Way[] }) {
  const { t } = useTranslation();
  const known = ways.map((way) => ({ way, facts: factsOf(info, way) })).filter(({ facts }) => facts.length > 0);
  return (
    <section aria-label={t('acc.payHere')} className="flex flex-col gap-4">
      <h3 className="text-title font-semibold">{t('acc.payHere')}</h3>
      {known.length === 0 && <p className="text-t2">{t('acc.noFacts')}</p>}
      {known.map(({ way, facts }) => (
        <div key={way} className="flex flex-wrap gap-4">
          <Code text={facts[0]?.text ?? ''} title={t('acc.qr', { way: t(WAY_TEXT[way]) })} />
          <dl className="flex min-w-48 flex-1 flex-col gap-2">
            {facts.map(({ name, text }) => (
              <div key={name}>
                <dt className="text-table text-t2">{t(FACT_TEXT[name])}</dt>
                <dd className="flex flex-wrap items-center gap-2">
                  <bdi className="min-w-0 text-body break-all">{text}</bdi>
                  <CopyButton text={text} what={t(FACT_TEXT[name])} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </section>
  );
}

/** A text to scan. */
export function Code({ text, title }: { text: string; title: string }) {
  return (
    <div className="grid size-40 shrink-0 place-items-center rounded-panel bg-[#fff]">
      <Suspense fallback={null}>
        <Qr value={text} title={title} />
      </Suspense>
    </div>
  );
}
