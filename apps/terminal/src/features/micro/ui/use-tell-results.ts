import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { MicroOrder } from '@bourse/contract';
import { toastDone } from '../../../core/toasts.js';
import { signed } from './signed.js';

/** A result stays readable after its row has left (terminal rule 14): it is told, and tops the closed list. */
export function useTellResults(order: MicroOrder | undefined): void {
  const { t } = useTranslation();
  const tell = useEffectEvent(
    ({ id, symbol_name: pair, result, fact_profits: profit, currency_name: coin }: MicroOrder) =>
      toastDone(`${pair}: ${t(`micro.result.${result}`)}, ${signed(profit)} ${coin}`, `micro ${id}`),
  );
  useEffect(() => {
    if (order && order.result !== '') tell(order);
  }, [order]);
}
