import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Panel } from '@bourse/ui';
import { useServerConfig } from '../../../core/config.js';
import { hasScreen } from '../../../paths.js';
import { Pictures } from './pictures.js';

const Qr = lazy(() => import('../../../parts/qr.js'));

/** The exchange's proofs, with the screens and files to check them: an address outside the screens is a plain file. */
const PROOFS = [
  { name: 'solvency', to: '/solvency', go: 'nav.solvency' },
  { name: 'money', to: '/finanrec', go: 'nav.statement' },
  { name: 'fair', to: '/fairness', go: 'nav.fairness' },
  { name: 'open', to: '/api/openapi.json', go: 'front.footer.api' },
] as const;
const PRODUCTS = [
  { name: 'spot', title: 'nav.spot', to: '/dealCenter' },
  { name: 'lever', title: 'nav.leverage', to: '/leverdealCenter' },
  { name: 'micro', title: 'nav.micro', to: '/secondsOrder' },
  { name: 'c2c', title: 'nav.c2c', to: '/c2cTrade' },
  { name: 'fiat', title: 'nav.fiat', to: '/legalTrade' },
  { name: 'savings', title: 'nav.savings', to: '/manage' },
] as const;

/** The lower part of the home page: loaded when the reader comes near. */
export default function Below() {
  return (
    <div className="flex flex-col gap-10">
      <Proofs />
      <Pictures />
      <Products />
      <Apps />
    </div>
  );
}

function Proofs() {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="proofs" className="flex flex-col gap-3">
      <h2 id="proofs" className="text-last font-semibold">
        {t('front.proofsTitle')}
      </h2>
      <p className="max-w-prose text-body text-t2">{t('front.proofsLead')}</p>
      <ol className="grid gap-3 md:grid-cols-2">
        {PROOFS.map(({ name, to, go }) => (
          <li key={name} className="flex">
            <Panel className="flex flex-1 flex-col gap-2 p-4">
              <h3 className="text-title font-semibold">{t(`front.proof.${name}.title`)}</h3>
              <p className="text-body text-t2">{t(`front.proof.${name}.claim`)}</p>
              <p className="text-body">
                <span className="font-medium">{t('front.check')}</span> {t(`front.proof.${name}.check`)}
              </p>
              {hasScreen(to) ? (
                <Link to={to} className="mt-auto w-fit text-button underline hover:text-t2">
                  {t(go)}
                </Link>
              ) : (
                <a href={to} className="mt-auto w-fit text-button underline hover:text-t2">
                  {t(go)}
                </a>
              )}
            </Panel>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Products() {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="products" className="flex flex-col gap-3">
      <h2 id="products" className="text-last font-semibold">
        {t('front.productsTitle')}
      </h2>
      <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {PRODUCTS.filter(({ to }) => hasScreen(to)).map(({ name, title, to }) => (
          <li key={name} className="flex">
            <Link
              to={to}
              className="flex flex-1 flex-col gap-2 rounded-panel border border-line bg-bg1 p-4 hover:bg-bg2"
            >
              <h3 className="text-title font-semibold">{t(title)}</h3>
              <p className="text-body text-t2">{t(`front.product.${name}`)}</p>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The apps with codes to scan; only those whose addresses the operator has set. */
function Apps() {
  const { t } = useTranslation();
  const app = useServerConfig()?.app;
  const apps = [
    { name: 'iPhone', href: app?.ios ?? '' },
    { name: 'Android', href: app?.android ?? '' },
  ].filter(({ href }) => href !== '');
  if (apps.length === 0) return null;
  return (
    <section aria-labelledby="apps" className="flex flex-col gap-3">
      <h2 id="apps" className="text-last font-semibold">
        {t('front.appsTitle')}
      </h2>
      <ul className="flex flex-wrap gap-3">
        {apps.map(({ name, href }) => (
          <li key={name}>
            <a
              href={href}
              target="_blank"
              rel="noreferrer noopener"
              className="flex items-center gap-4 rounded-panel border border-line bg-bg1 p-4 hover:bg-bg2"
            >
              <span className="grid size-40 place-items-center rounded-chip bg-[#fff]">
                <Suspense fallback={null}>
                  <Qr value={new URL(href, location.origin).href} title={name} />
                </Suspense>
              </span>
              <span className="flex flex-col gap-1">
                <span className="text-title font-semibold">{name}</span>
                <span className="max-w-48 text-body text-t2">{t('front.appsScan')}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
