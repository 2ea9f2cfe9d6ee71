import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Badge, Button } from '@bourse/ui';
import { ActDialog } from '../../parts/act-dialog.js';
import { words } from '../../parts/list-columns.js';
import { ListPage } from '../../parts/list-page.js';
import { GuardedMark, Pending } from '../../parts/pending.js';
import { addressOf } from '../../paths.js';
import { boundsText, byOwner, foundIn, kindText, type Setting } from './setting-model.js';

const PATH = '/api/admin/settings';

/** A name of several words is broken between them. */
const AFTER_WORD = /(?<=[._])/;

/** The settings by service: value, default, bounds, help, and a link to the changes in the audit trail. */
export default function Settings() {
  const { t } = useTranslation();
  const [setting, setSetting] = useState<Setting>();
  const named = (value: string): string => (value === '' ? t('setting.emptyValue') : value);
  return (
    <>
      <ListPage<typeof PATH>
        name="settings"
        title={t('place.settings')}
        path={PATH}
        filters={[
          { name: 'words', label: t('setting.search'), kind: 'text', here: true },
          {
            name: 'changed',
            label: t('setting.default'),
            kind: 'choice',
            options: [{ value: '1', label: t('setting.changedOnly') }],
            here: true,
          },
        ]}
        rowsOf={(rows, valueOf) => foundIn(byOwner(rows), valueOf('words'), valueOf('changed') === '1')}
        columns={[
          words('owner', t('setting.owner'), ({ owner }) => owner),
          {
            id: 'key',
            label: t('setting.key'),
            cell: ({ key, value, default: first, guarded }) => (
              <span className="flex flex-wrap items-center gap-2 font-medium">
                <span>
                  {key.split(AFTER_WORD).flatMap((word, at) => (at === 0 ? [word] : [<wbr key={at} />, word]))}
                </span>
                {value !== first && <Badge tone="accent">{t('setting.changed')}</Badge>}
                <GuardedMark guarded={guarded} />
              </span>
            ),
            sort: ({ key }) => key,
          },
          {
            id: 'value',
            label: t('setting.value'),
            cell: ({ value, pending }) => (
              <>
                <bdi className="num line-clamp-2 break-all font-medium">{named(value)}</bdi>
                <Pending now={value} pending={pending} />
              </>
            ),
            csv: ({ value }) => value,
            sort: ({ value }) => value,
          },
          {
            id: 'default',
            label: t('setting.default'),
            cell: ({ default: first }) => <bdi className="num line-clamp-2 break-all">{named(first)}</bdi>,
            sort: ({ default: first }) => first,
          },
          { ...words<Setting>('bounds', t('setting.bounds'), kindText), wide: true },
          { ...words<Setting>('help', t('setting.help'), ({ help }) => help), wide: true },
        ]}
        rowKey={({ key }) => key}
        onOpen={setSetting}
        actions={({ key, ...more }) => (
          <>
            <Link
              to={`${addressOf('audit')}?target=${encodeURIComponent(key)}`}
              className="text-table text-t2 underline underline-offset-2"
            >
              {t('setting.who')}
              <span className="sr-only"> {key}</span>
            </Link>
            <Button
              size="small"
              aria-label={`${t('setting.change')} ${key}`}
              onClick={() => setSetting({ key, ...more })}
            >
              {t('setting.change')}
            </Button>
          </>
        )}
      />
      <ActDialog
        open={setting !== undefined}
        onClose={() => setSetting(undefined)}
        title={setting?.key ?? ''}
        explain={
          setting && (
            <>
              {setting.help}
              {setting.guarded === 1 && <p className="pt-2">{t('guarded.explain')}</p>}
              <Pending now={setting.value} pending={setting.pending} />
            </>
          )
        }
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
