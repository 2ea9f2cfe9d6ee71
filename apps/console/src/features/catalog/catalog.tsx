import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
import { Button, Tabs } from '@bourse/ui';
import { useAdminQuery } from '../../core/calls.js';
import { ActDialog } from '../../parts/act-dialog.js';
import { PageHead } from '../../parts/detail.js';
import { rowsWith } from '../../parts/list-model.js';
import { ListPage } from '../../parts/list-page.js';
import { Pending } from '../../parts/pending.js';
import { addressOf } from '../../paths.js';
import {
  cellText,
  columnLabel,
  columnsOf,
  formOf,
  isTable,
  TABLE_NAMES,
  waitingColumns,
  type CatalogRow,
  type TableName,
} from './catalog-model.js';

/** The tables of the catalog: what is traded, and on which terms. */
export default function Catalog() {
  const { t } = useTranslation();
  const { name } = useParams();
  const navigate = useNavigate();
  if (name === undefined) return <Navigate to={addressOf('catalogRows', TABLE_NAMES[0])} replace />;
  if (!isTable(name)) return <p className="text-t2">{t('shell.unknown')}</p>;
  return (
    <>
      <PageHead title={t('place.catalog')} />
      <Tabs
        label={t('place.catalog')}
        tabs={TABLE_NAMES.map((id) => ({ id, label: t(`catalog.${id}`) }))}
        value={name}
        onChange={(id) => void navigate(addressOf('catalogRows', id))}
      />
      <Rows key={name} table={name} />
    </>
  );
}

function Rows({ table }: { table: TableName }) {
  const { t } = useTranslation();
  const path = `/api/admin/catalog/${table}` as const;
  const rows = useAdminQuery(path, {});
  const data: readonly CatalogRow[] = rows.data ?? [];
  const [row, setRow] = useState<CatalogRow>();
  const form = row && formOf(table, row);
  return (
    <>
      <ListPage
        inside
        name={`catalog.${table}`}
        title={t(`catalog.${table}`)}
        path={path}
        filters={[{ name: 'words', label: t('list.find'), kind: 'text', here: true }]}
        rowsOf={(all, valueOf) =>
          rowsWith<(typeof all)[number]>(all, valueOf('words'), (one) => Object.values(one).map(cellText).join(' '))
        }
        columns={[
          ...columnsOf(data).map((id, at) => ({
            id,
            label: columnLabel(data[0], id),
            cell: (one: CatalogRow) => <span className="line-clamp-2 break-all">{cellText(one[id])}</span>,
            sort: (one: CatalogRow) => cellText(one[id]),
            wide: at > 7,
          })),
          ...(data.some(({ guarded }) => guarded === 1)
            ? [
                {
                  id: 'pending',
                  label: t('guarded.pending'),
                  cell: (one: CatalogRow) => <Pending now={waitingColumns(one)} pending={one.pending} />,
                  csv: (one: CatalogRow) => cellText(one.pending?.value),
                },
              ]
            : []),
        ]}
        rowKey={(one) => cellText(one['id'])}
        onOpen={setRow}
        actions={(one) => (
          <>
            <Link
              to={`${addressOf('audit')}?target=${encodeURIComponent(`"${table} ${cellText(one['id'])}"`)}`}
              className="text-table text-t2 underline underline-offset-2"
            >
              {t('setting.who')}
              <span className="sr-only"> {cellText(one['id'])}</span>
            </Link>
            <Button size="small" onClick={() => setRow(one)}>
              {t('setting.change')}
            </Button>
          </>
        )}
      />
      <ActDialog
        open={row !== undefined}
        onClose={() => setRow(undefined)}
        title={t('catalog.row', { table: t(`catalog.${table}`), id: cellText(row?.['id']) })}
        explain={
          <>
            {t('catalog.explain')}
            {row?.guarded === 1 && <p className="pt-2">{t('guarded.columns')}</p>}
            {row && <Pending now={waitingColumns(row)} pending={row.pending} />}
          </>
        }
        fields={form?.fields ?? []}
        initial={form?.initial ?? {}}
        changesOnly
        action={t(row?.guarded === 1 ? 'catalog.ask' : 'catalog.save')}
        path={`/api/admin/catalog/${table}/save`}
        body={{ id: cellText(row?.['id']) }}
        invalidate={[path]}
      />
    </>
  );
}
