import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Badge, Button, Field, Skeleton } from '@bourse/ui';
import { useAdminQuery } from '../../core/calls.js';
import { ActDialog } from '../../parts/act-dialog.js';
import { PageHead } from '../../parts/detail.js';
import { Failed } from '../../parts/failed.js';
import { addressOf } from '../../paths.js';
import { boundsText, foundIn, groupsOf, type Setting } from './setting-model.js';

const PATH = '/api/admin/settings';

/** What an operator may change, by its owner: value, default, bounds, help, and the way to who changed it. */
export default function Settings() {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useAdminQuery<readonly Setting[]>(PATH);
  const [words, setWords] = useState('');
  const [changed, setChanged] = useState(false);
  const [setting, setSetting] = useState<Setting>();
  const shown = data && foundIn(data, words, changed);
  return (
    <>
      <PageHead title={t('place.settings')} />
      <div role="search" className="flex flex-wrap items-end gap-3">
        <Field
          type="search"
          label={t('setting.search')}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          className="min-w-64 max-sm:w-full"
        />
        <label className="flex h-10 items-center gap-2">
          <input
            type="checkbox"
            checked={changed}
            onChange={(event) => setChanged(event.target.checked)}
            className="size-4 accent-(--accent)"
          />
          {t('setting.changedOnly')}
        </label>
      </div>
      {isError && !data && <Failed error={error} retry={() => void refetch()} />}
      {!data && !isError && <Skeleton className="h-64 w-full" />}
      {shown?.length === 0 && <p className="text-t2">{t('list.empty')}</p>}
      {groupsOf(shown ?? []).map(([owner, settings]) => (
        <section key={owner} aria-label={owner} className="rounded-panel border border-line bg-bg1">
          <h2 className="border-b border-line px-4 py-2 font-semibold">{owner}</h2>
          <ul>
            {settings.map((one) => (
              <li
                key={one.key}
                data-setting={one.key}
                className={
                  'flex flex-wrap items-start justify-between gap-3 border-b border-line p-4 wrap-anywhere ' +
                  'last:border-b-0'
                }
              >
                <div className="flex min-w-0 flex-1 basis-56 flex-col gap-1">
                  <span className="flex flex-wrap items-center gap-2 font-medium">
                    {one.key}
                    {one.value !== one.default && <Badge tone="accent">{t('setting.changed')}</Badge>}
                  </span>
                  <span className="text-table text-t2">{one.help}</span>
                  <span className="text-label text-t2">
                    {one.type}
                    {boundsText(one) !== '' && ` · ${boundsText(one)}`} · {t('setting.default')}{' '}
                    <bdi className="break-all">{one.default === '' ? t('setting.emptyValue') : one.default}</bdi>
                  </span>
                </div>
                <div className="flex max-w-full min-w-0 flex-wrap items-center gap-2">
                  <bdi className="num max-w-[min(20rem,100%)] truncate font-medium" title={one.value}>
                    {one.value === '' ? t('setting.emptyValue') : one.value}
                  </bdi>
                  <Link
                    to={`${addressOf('audit')}?target=${encodeURIComponent(one.key)}`}
                    className="text-table text-t2 underline underline-offset-2"
                  >
                    {t('setting.who')}
                    <span className="sr-only"> {one.key}</span>
                  </Link>
                  <Button size="small" aria-label={`${t('setting.change')} ${one.key}`} onClick={() => setSetting(one)}>
                    {t('setting.change')}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <ActDialog
        open={setting !== undefined}
        onClose={() => setSetting(undefined)}
        title={setting?.key ?? ''}
        explain={setting?.help}
        fields={[
          {
            name: 'value',
            label: t('setting.value'),
            kind: (setting?.value.length ?? 0) > 60 ? 'long' : 'text',
            ...(setting && boundsText(setting) !== '' && { hint: boundsText(setting) }),
          },
        ]}
        initial={{ value: setting?.value ?? '' }}
        path={`${PATH}/save`}
        body={{ key: setting?.key, value: '' }}
        invalidate={[PATH]}
      />
    </>
  );
}
