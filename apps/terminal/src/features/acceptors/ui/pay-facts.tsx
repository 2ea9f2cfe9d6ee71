import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { AcceptorInfo, Way } from '@bourse/contract';
import { factsOf } from '../model/acceptors.js';
import { FACT_TEXT } from './words.js';

const Qr = lazy(() => import('../../../parts/qr.js'));

/**
 * The payment details of an acceptor for each way, shown before an order. Without an order a payment has no
 * reservation: the code to scan comes with the order.
 */
export function PayFacts({ info, ways }: { info: AcceptorInfo; ways: readonly Way[] }) {
  const { t } = useTranslation();
  const known = ways.map((way) => ({ way, facts: factsOf(info, way) })).filter(({ facts }) => facts.length > 0);
  return (
    <section aria-label={t('acc.payHere')} className="flex flex-col gap-4">
      <h3 className="text-title font-semibold">{t('acc.payHere')}</h3>
      {known.length === 0 && <p className="text-t2">{t('acc.noFacts')}</p>}
      {known.map(({ way, facts }) => (
        <dl key={way} className="flex flex-col gap-2 border-t border-line pt-3">
          {facts.map(({ name, text }) => (
            <div key={name}>
              <dt className="text-table text-t2">{t(FACT_TEXT[name])}</dt>
              <dd className="text-body break-all">
                <bdi>{text}</bdi>
              </dd>
            </div>
          ))}
        </dl>
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
