import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ad } from '@bourse/contract';
import { Badge, Button, Num, type Tone } from '@bourse/ui';
import { ActDialog } from '../../../parts/act-dialog.js';
import { created, people, unsorted } from '../../../parts/list-columns.js';
import { choiceFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';

const PATH = '/api/admin/c2c_ads';
const TONES: Readonly<Record<1 | 2 | 3, Tone>> = { 1: 'up', 2: 'plain', 3: 'info' };

/** Ads of people and shops; operators withdraw those that break the rules. */
export default function Ads() {
  const { t } = useTranslation();
  const [off, setOff] = useState<Ad | null>(null);
  return (
    <>
      <ListPage<typeof PATH>
        name="ads"
        title={t('console.c2c.ads')}
        path={PATH}
        filters={[
          { name: 'user_id', label: t('console.c2c.owner'), kind: 'id' },
          choiceFilter('kind', t('console.people.kind'), ['c2c', 'shop'], (value) => t(`console.c2c.${value}`)),
          choiceFilter('type', t('console.people.side'), ['buy', 'sell'], (value) => t(`console.people.${value}`)),
          choiceFilter('status', t('console.people.state'), ['1', '2', '3'], (value) =>
            t(`console.c2c.status.${value}`),
          ),
        ]}
        columns={[
          { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, sort: ({ id }) => id },
          unsorted(people('owner', t('console.c2c.owner'), ({ seller_id: id }) => id)),
          {
            id: 'kind',
            label: t('console.people.kind'),
            cell: ({ kind }) => t(`console.c2c.${kind}`),
            csv: ({ kind }) => kind,
          },
          {
            id: 'side',
            label: t('console.people.side'),
            cell: ({ type }) => t(`console.people.${type}`),
            csv: ({ type }) => type,
          },
          {
            id: 'left',
            label: t('console.c2c.left'),
            cell: ({ surplus_number: left, total_number: all, currency_name: coin }) => (
              <Num>
                {left} / {all} {coin}
              </Num>
            ),
            sort: ({ surplus_number: left }) => left,
          },
          {
            id: 'price',
            label: t('console.people.price'),
            cell: ({ price, coin_code: money }) => (
              <Num>
                {price} {money}
              </Num>
            ),
            sort: ({ price }) => price,
          },
          {
            id: 'deals',
            label: t('console.c2c.deals'),
            cell: ({ deals, done_rate: rate }) => (
              <Num>
                {deals} ({rate}%)
              </Num>
            ),
            csv: ({ deals }) => String(deals),
            wide: true,
          },
          {
            id: 'state',
            label: t('console.people.state'),
            cell: ({ status }) => <Badge tone={TONES[status]}>{t(`console.c2c.status.${status}`)}</Badge>,
            sort: ({ status }) => status,
          },
          created(t),
        ]}
        rowKey={({ id }) => String(id)}
        actions={(ad) =>
          ad.status === 1 && (
            <Button size="small" kind="danger" onClick={() => setOff(ad)}>
              {t('console.c2c.takeOff')}
            </Button>
          )
        }
      />
      {off && (
        <ActDialog
          open
          onClose={() => setOff(null)}
          title={t('console.c2c.takeOffTitle', { id: off.id })}
          explain={t('console.c2c.takeOffExplain')}
          danger
          action={t('console.c2c.takeOff')}
          path={`${PATH}/off`}
          body={{ id: off.id }}
          invalidate={[PATH]}
        />
      )}
    </>
  );
}
