import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LeverPosition, QuotationItem } from '@bourse/contract';
import { isFinal, toastDone, toastError, useSubmission } from '@bourse/web';
import { atMost, Button, DescriptionList, Dialog, grouped, Num } from '@bourse/ui';
import { leverNewsId } from '../../../core/notifications/entries.js';
import { toastAnswer } from '../../../core/notifications/store.js';
import { endPosition, submitLever, useBoard, useDeal } from '../api/lever.js';
import { judgeOpposite, oppositeFields } from '../model/reverse.js';
import { previewFacts } from './lever-figures.js';
import { PositionSide } from './position-side.js';
import { Signed } from './signed.js';

interface Props {
  /** As the list last had it: the row leaves the list with the close, and the dialog stays. */
  row: LeverPosition;
  pair: Pick<QuotationItem, 'price_scale' | 'number_scale' | 'legal_name' | 'currency_name'>;
  onClose: () => void;
}

/**
 * Reverses a position after a question: closes it, then opens the opposite. These are two orders. If the second one
 * gets a refusal or no answer, the dialog stays, says that the position is closed, and offers to send the second again.
 */
export function ReverseDialog({ row, pair, onClose }: Props) {
  const { t } = useTranslation();
  const { deal } = useDeal(row);
  const { board } = useBoard('open', { legalId: row.legal_id, currencyId: 0 });
  const close = useSubmission('lever.noAnswer');
  const open = useSubmission();
  const [closed, setClosed] = useState<LeverPosition | undefined>();
  const [half, setHalf] = useState<string | undefined>();
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const opposite = deal && board && !closed ? judgeOpposite(row, board.rows, deal, pair) : undefined;
  const fault = opposite?.fault;
  const busy = close.busy || open.busy;
  const openOpposite = async (of: LeverPosition): Promise<void> => {
    const fields = { legal_id: of.legal_id, currency_id: of.currency_id, ...oppositeFields(of) };
    const opened = await open.run(async (intent) => {
      try {
        toastDone(await submitLever(fields, intent));
      } catch (error) {
        const text = isFinal(error) ? t('lever.reverseHalf', { reason: error.message }) : t('lever.reverseSilent');
        setHalf(text);
        // After a change of the page the dialog is gone: a toast then says that only half is done.
        if (!shown.current) toastError(text);
        throw error;
      }
    }, of.id);
    if (opened && shown.current) onClose();
  };
  const send = async (): Promise<void> => {
    if (closed) return openOpposite(closed);
    let ended: LeverPosition | undefined;
    const done = await close.run(async (intent) => {
      const answer = await endPosition(row, intent);
      toastAnswer(leverNewsId([answer.ended.id]), answer.message);
      ended = answer.ended;
    }, row.id);
    if (!done || !ended) return;
    setClosed(ended);
    await openOpposite(ended);
  };

  const side = (type: 1 | 2) => (
    <PositionSide type={type}>
      <Num>{`${row.multiple}× · ${grouped(atMost(row.number, 8))} ${row.currency}`}</Num>
    </PositionSide>
  );
  const problem = closed
    ? open.refusal && half
    : (close.refusal ?? (fault && t('lever.reverseRefused', { reason: t(fault.key, fault.params) })));
  return (
    <Dialog
      open
      onClose={() => {
        if (!busy) onClose();
      }}
      title={t('lever.reverseOne', { pair: row.symbol })}
      description={t('lever.reverseText')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button data-autofocus="" disabled={busy} onClick={onClose}>
            {t(closed ? 'common.close' : 'orders.keep')}
          </Button>
          <Button
            kind="danger"
            busy={busy}
            disabled={!closed && (!opposite || fault !== undefined)}
            onClick={() => void send()}
          >
            {t(closed ? 'common.retry' : 'lever.reverse')}
          </Button>
        </>
      }
    >
      <DescriptionList
        facts={[
          { id: 'closes', name: t('lever.reverseCloses'), value: side(row.type) },
          { id: 'profit', name: t('lever.expectedResult'), value: <Signed unit={row.legal}>{row.profits}</Signed> },
          { id: 'opens', name: t('lever.reverseOpens'), value: side(row.type === 1 ? 2 : 1) },
          ...previewFacts(t, opposite?.figures, deal, pair),
        ]}
      />
      {problem && (
        <p role="alert" className="text-table text-down">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
