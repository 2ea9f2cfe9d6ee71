/** Names of the indicators, as traders write them. */
export const INDICATOR_IDS = [
  ...(['MA', 'EMA', 'WMA', 'SMMA', 'BOLL', 'VWAP', 'SAR', 'DC', 'KC', 'ICHIMOKU', 'SUPERTREND'] as const),
  ...(['VOL', 'MACD', 'RSI', 'KDJ', 'ATR', 'STOCHRSI', 'CCI', 'WR', 'OBV', 'MFI', 'DMI', 'ROC', 'TRIX'] as const),
] as const;
export type IndicatorId = (typeof INDICATOR_IDS)[number];

/** An indicator that a person put on the chart, with its parameters. */
export interface ChosenIndicator {
  readonly id: IndicatorId;
  readonly params: readonly number[];
}

/** The indicators of a chart until a person chooses others. */
export const FIRST_INDICATORS: readonly ChosenIndicator[] = [
  { id: 'MA', params: [10, 15, 20] },
  { id: 'VOL', params: [] },
];

/** Reads stored indicators and drops invalid ones: an older or foreign value must not break the chart. */
export function readChosen(kept: unknown): readonly ChosenIndicator[] {
  if (!Array.isArray(kept)) return FIRST_INDICATORS;
  return kept.filter((one: Partial<ChosenIndicator> | null): one is ChosenIndicator => {
    const params: unknown = one?.params;
    return (
      INDICATOR_IDS.includes(one?.id as IndicatorId) &&
      Array.isArray(params) &&
      params.every((value) => typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= 400)
    );
  });
}
