import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Badge, Button } from '@bourse/ui';
import { ActDialog } from '../../parts/act-dialog.js';
import type { ActField } from '../../parts/act-model.js';
import { words } from '../../parts/list-columns.js';
import { ListPage } from '../../parts/list-page.js';
import { GuardedMark, Pending } from '../../parts/pending.js';
import { addressOf } from '../../paths.js';
import { boundsText, byOwner, choicesOf, foundIn, valueText, type Setting } from './setting-model.js';

const PATH = '/api/admin/settings';

/** Lets the browser break a key between its words. */
const AFTER_WORD = /(?<=[._])/;

/** The settings by service: value, default, bounds, help, and a link to the changes in the audit trail. */
export default function Settings() {
  const { t } = useTranslation();
  const [setting, setSetting] = useState<Setting>();
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
            cell: (one) => (
              <>
                <bdi className="num line-clamp-2 font-medium break-words">{valueText(t, one, one.value)}</bdi>
                <PendingValue setting={one} />
              </>
            ),
            csv: ({ value }) => value,
            sort: ({ value }) => value,
          },
          {
            id: 'default',
            label: t('setting.default'),
            cell: (one) => <bdi className="num line-clamp-2 break-words">{valueText(t, one, one.default)}</bdi>,
            sort: ({ default: first }) => first,
          },
          { ...words<Setting>('bounds', t('setting.bounds'), (one) => boundsText(t, one)), wide: true },
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
              <PendingValue setting={setting} />
            </>
          )
        }
        fields={setting ? [valueField(t, setting)] : []}
        initial={{ value: setting?.value ?? '' }}
        action={t(setting?.guarded === 1 ? 'setting.ask' : 'setting.save')}
        path={`${PATH}/save`}
        body={{ key: setting?.key, value: '' }}
        invalidate={[PATH]}
      />
    </>
  );
}

/** A waiting change of a setting, old and new in words. */
function PendingValue({ setting }: { setting: Setting }) {
  const { t } = useTranslation();
  const { value, pending } = setting;
  return (
    <Pending
      now={valueText(t, setting, value)}
      pending={pending && { ...pending, value: valueText(t, setting, pending.value) }}
    />
  );
}

/** The field of the form: a choice in words where the values are known, else typed, with unit and bounds. */
function valueField(t: Parameters<typeof valueText>[0], setting: Setting): ActField {
  const choices = choicesOf(setting);
  const field = { name: 'value', label: t('setting.value', {}) };
  if (choices)
    return {
      ...field,
      kind: 'choice',
      options: choices.map((value) => ({ value, label: valueText(t, setting, value) })),
    };
  const hint = boundsText(t, setting);
  return { ...field, kind: setting.value.length > 60 ? 'long' : 'text', ...(hint !== '' && { hint }) };
}
