import { useTranslation } from 'react-i18next';
import { Diff } from '../../parts/diff.js';
import { dayFilters } from '../../parts/list-common-filters.js';
import type { ListFilter } from '../../parts/list-filters.js';
import { numbers, times } from '../../parts/list-columns.js';
import { ListPage } from '../../parts/list-page.js';

/** Appends a star, which matches every ending, to a search text; quoted text is searched as it is. */
const beginning = (text: string): string => (/^".+"$/.test(text) ? text.slice(1, -1) : `${text}*`);

/** The trail of operators' acts: operator, act, reason and change. */
export default function Audit() {
  const { t } = useTranslation();
  return (
    <ListPage<'/api/admin/audit'>
      name="audit"
      title={t('place.audit')}
      path="/api/admin/audit"
      filters={[
        ...(['operator', 'action', 'target'] as const).map((name): ListFilter => ({
          name,
          label: t('audit.begins', { of: t(`audit.${name}`) }),
          kind: 'text',
          sent: beginning,
        })),
        ...dayFilters(t),
      ]}
      columns={[
        times('time', t('audit.time'), ({ time }) => time),
        { id: 'operator', label: t('audit.operator'), cell: (row) => row.operator, sort: (row) => row.operator },
        { id: 'action', label: t('audit.action'), cell: ({ action }) => action, sort: ({ action }) => action },
        numbers('target', t('audit.target'), ({ target }) => target),
        {
          id: 'change',
          label: t('audit.change'),
          cell: ({ before, after }) => <Diff before={before} after={after} />,
          csv: ({ before, after }) => `${before} → ${after}`,
        },
        { id: 'reason', label: t('act.reason'), cell: ({ reason }) => reason, csv: ({ reason }) => reason, wide: true },
      ]}
      rowKey={({ id }) => String(id)}
    />
  );
}
