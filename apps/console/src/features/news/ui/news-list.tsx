import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { LANGUAGES, NEWS } from '@bourse/contract';
import { Badge, Button, buttonClasses, Num } from '@bourse/ui';
import { ActDialog } from '../../../parts/act-dialog.js';
import { times } from '../../../parts/list-columns.js';
import { choiceFilter } from '../../../parts/list-common-filters.js';
import { ListPage } from '../../../parts/list-page.js';
import type { NewsRow } from '../model/news.js';

const PATH = '/api/admin/news';
const CATEGORIES = Object.values(NEWS).toSorted((one, other) => one - other);

/** News in the order in which people see them, with those to be published later. */
export default function NewsList() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [gone, setGone] = useState<NewsRow | null>(null);
  return (
    <>
      <ListPage<typeof PATH>
        name="news"
        title={t('console.news.title')}
        path={PATH}
        filters={[
          choiceFilter('c_id', t('console.news.category'), CATEGORIES, (value) => t(`console.news.is.${value}`)),
          choiceFilter('lang', t('console.users.language'), LANGUAGES, (value) => value),
        ]}
        columns={[
          { id: 'id', label: t('console.people.id'), cell: ({ id }) => <Num>{id}</Num>, csv: ({ id }) => String(id) },
          {
            id: 'title',
            label: t('console.news.heading'),
            cell: ({ title, pinned }) => (
              <span className="flex flex-wrap gap-1">
                <bdi className="break-words">{title}</bdi>
                {pinned === 1 && <Badge tone="info">{t('console.news.pinned')}</Badge>}
              </span>
            ),
            sort: ({ title }) => title,
          },
          {
            id: 'category',
            label: t('console.news.category'),
            cell: ({ c_id: id }) => t(`console.news.is.${id}`),
            sort: ({ c_id: id }) => id,
          },
          {
            id: 'langs',
            label: t('console.news.languages'),
            cell: ({ langs }) => langs.join(' '),
            csv: ({ langs }) => langs.join(' '),
          },
          times('publish', t('console.news.publishAt'), ({ publish_time: at }) => at),
          {
            id: 'sort',
            label: t('console.news.place'),
            cell: ({ sort }) => <Num>{sort}</Num>,
            sort: ({ sort }) => sort,
            wide: true,
          },
        ]}
        rowKey={({ id }) => String(id)}
        tools={
          <Link to="/news/new" className={buttonClasses('primary', 'small')}>
            {t('console.news.new')}
          </Link>
        }
        onOpen={({ id }) => void navigate(`/news/${id}`)}
        actions={(row) => (
          <Button size="small" kind="danger" onClick={() => setGone(row)}>
            {t('console.news.remove')}
          </Button>
        )}
      />
      {gone && (
        <ActDialog
          open
          onClose={() => setGone(null)}
          title={t('console.news.removeTitle', { title: gone.title })}
          explain={t('console.news.removeExplain')}
          fields={[
            {
              name: 'lang',
              label: t('console.news.removeLanguage'),
              kind: 'choice',
              options: gone.langs.filter((lang) => lang !== 'en').map((value) => ({ value, label: value })),
            },
          ]}
          danger
          method="DELETE"
          action={t('console.news.remove')}
          path={PATH}
          body={{ id: gone.id }}
          invalidate={[PATH]}
        />
      )}
    </>
  );
}
