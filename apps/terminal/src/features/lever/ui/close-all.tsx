import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LeverPosition } from '@bourse/contract';
import { Button, Dialog, Num } from '@bourse/ui';
import { leverNewsId } from '../../../core/notifications/entries.js';
import { toastAnswer } from '../../../core/notifications/store.js';
import { useSubmission } from '@bourse/web';
import { closeAll, coverOf, type CloseScope } from '../api/lever.js';
import { closeContents } from '../model/contents.js';
import { CoverList } from './cover-list.js';

const KINDS = [
  [0, 'lever.closeAll'],
  [1, 'lever.closeLongs'],
  [2, 'lever.closeShorts'],
] as const;
type Kind = (typeof KINDS)[number][0];

/**
 * Closes all positions of a scope, its longs or its shorts, each after a question.
 * @param rows the positions of the scope
 */
export function CloseAll({ rows, scope }: { rows: readonly LeverPosition[] | undefined; scope?: CloseScope }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Kind | undefined>();
  const [cover, setCover] = useState<readonly string[] | undefined>();
  const { busy, refusal, run, clear } = useSubmission('lever.noAnswer');
  const send = async (type: Kind): Promise<void> => {
    const closeOnce = async (intent: string): Promise<void> => {
      try {
        const { message, ids } = await closeAll(type, scope, intent, cover !== undefined);
        toastAnswer(leverNewsId(ids), message);
      } catch (error) {
        setCover(coverOf(error));
        throw error;
      }
    };
    const closed = await run(closeOnce, closeContents(type, scope, cover));
    if (closed) setAsked(undefined);
  };
  const title = t(KINDS.find(([type]) => type === asked)?.[1] ?? 'lever.closeAll');
  const chosen = (type: Kind) => rows?.filter((row) => type === 0 || row.type === type) ?? [];
  const count = (type: Kind): number => chosen(type).length;
  const symbols = [...new Set(chosen(asked ?? 0).map(({ symbol }) => symbol))];
  return (
    <div className="flex flex-wrap gap-1">
      {KINDS.map(([type, text]) => (
        <Button
          key={type}
          size="small"
          disabled={count(type) === 0}
          onClick={() => {
            clear();
            setCover(undefined);
            setAsked(type);
          }}
        >
          {t(text)}
        </Button>
      ))}
      <Dialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={`${title} (${count(asked ?? 0)})`}
        description={cover ? undefined : t('lever.closeManyText')}
        closeLabel={t('common.close')}
        actions={
          <>
            <Button onClick={() => setAsked(undefined)}>{t('orders.keep')}</Button>
            <Button kind="danger" busy={busy} onClick={() => asked !== undefined && void send(asked)}>
              {cover ? t('lever.coverClose') : title}
            </Button>
          </>
        }
      >
        {cover ? <CoverList ids={cover} /> : <Num>{symbols.join(' · ')}</Num>}
        {refusal && !cover && (
          <p role="alert" className="text-table text-down">
            {refusal}
          </p>
        )}
      </Dialog>
    </div>
  );
}
