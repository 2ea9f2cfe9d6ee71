import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowOf } from '@bourse/contract';
import { Badge, Button, Num, type Tone } from '@bourse/ui';
import { ActDialog } from '../../../parts/act-dialog.js';
import { created, owner, unsorted, words } from '../../../parts/list-columns.js';
import { choiceFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';

const PATH = '/api/admin/shops';
/** A shop as operators see it (api §2.12). */
type ShopRow = RowOf<'GET /api/admin/shops'>;
const STATES: Readonly<Record<0 | 1 | 2 | 3, { readonly text: string; readonly tone: Tone }>> = {
  0: { text: 'console.shops.review', tone: 'warn' },
  1: { text: 'console.shops.open', tone: 'up' },
  2: { text: 'console.shops.refused', tone: 'plain' },
  3: { text: 'console.shops.closed', tone: 'plain' },
};
const LEVELS = ['verified', 'advanced'] as const;

/** Shops, the newest first; those under review are opened or refused. */
export default function Shops() {
  const { t } = useTranslation();
  const [act, setAct] = useState<{ readonly shop: ShopRow; readonly pass: boolean } | null>(null);
  return (
    <>
      <ListPage<typeof PATH>
        name="shops"
        title={t('console.shops.title')}
        path={PATH}
        filters={[
          choiceFilter('status', t('console.people.state'), [0, 1, 2, 3] as const, (value) => t(STATES[value].text)),
        ]}
        columns={[
          { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, csv: ({ id }) => String(id) },
          words('name', t('console.shops.name'), ({ name }) => name),
          unsorted(owner(t)),
          {
            id: 'level',
            label: t('console.shops.level'),
            cell: ({ level }) => t(`console.shops.is.${level}`),
            csv: ({ level }) => level,
          },
          {
            id: 'state',
            label: t('console.people.state'),
            cell: ({ status }) => <Badge tone={STATES[status].tone}>{t(STATES[status].text)}</Badge>,
            sort: ({ status }) => status,
          },
          {
            id: 'deposit',
            label: t('console.shops.deposit'),
            cell: ({ deposit, currency_name: coin }) => (
              <Num>
                {deposit} {coin}
              </Num>
            ),
            csv: ({ deposit }) => deposit,
          },
          {
            id: 'deals',
            label: t('console.c2c.deals'),
            cell: ({ deals, done_rate: rate }) => (
              <Num>
                {deals} ({rate}%)
              </Num>
            ),
            sort: ({ deals }) => deals,
            wide: true,
          },
          created(t),
        ]}
        rowKey={({ id }) => String(id)}
        actions={(shop) =>
          shop.status === 0 && (
            <span className="flex gap-1">
              <Button size="small" kind="primary" onClick={() => setAct({ shop, pass: true })}>
                {t('console.shops.pass')}
              </Button>
              <Button size="small" kind="danger" onClick={() => setAct({ shop, pass: false })}>
                {t('console.shops.refuse')}
              </Button>
            </span>
          )
        }
      />
      {act && (
        <ActDialog
          open
          onClose={() => setAct(null)}
          title={t(act.pass ? 'console.shops.passTitle' : 'console.shops.refuseTitle', { name: act.shop.name })}
          explain={t(act.pass ? 'console.shops.passExplain' : 'console.shops.refuseExplain', {
            level: t(`console.shops.is.${act.shop.level}`),
          })}
          fields={
            act.pass
              ? [
                  {
                    name: 'level',
                    label: t('console.shops.otherLevel'),
                    kind: 'choice',
                    options: LEVELS.map((value) => ({ value, label: t(`console.shops.is.${value}`) })),
                  },
                ]
              : []
          }
          danger={!act.pass}
          action={t(act.pass ? 'console.shops.pass' : 'console.shops.refuse')}
          path={`${PATH}/decide`}
          body={{ id: act.shop.id, pass: act.pass ? 1 : 0 }}
          invalidate={[PATH, '/api/admin/dashboard']}
        />
      )}
    </>
  );
}
