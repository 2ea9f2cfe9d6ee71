import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Checkbox, Dialog } from '@bourse/ui';
import { acceptParam, INDICATORS, initialOf, type Indicator } from './indicators/catalogue.js';
import { FIRST_INDICATORS, type ChosenIndicator } from './indicators/chosen.js';

/** The indicators of a chart: a box switches one on, the fields beside it set its parameters. */
export function IndicatorMenu({
  chosen,
  onChange,
  onClose,
}: {
  chosen: readonly ChosenIndicator[];
  onChange: (chosen: readonly ChosenIndicator[]) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const change = (indicator: Indicator, params: readonly number[] | undefined): void => {
    const { id } = indicator;
    if (!params) onChange(chosen.filter((one) => one.id !== id));
    else if (chosen.some((one) => one.id === id)) onChange(chosen.map((one) => (one.id === id ? { id, params } : one)));
    else onChange([...chosen, { id, params }]);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('chart.indicators')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={() => onChange(FIRST_INDICATORS)}>{t('chart.resetIndicators')}</Button>
          <Button data-autofocus="" kind="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      {(['prices', 'own'] as const).map((pane) => (
        <section key={pane} className="flex flex-col gap-1.5">
          <h3 className="text-table text-t2">{t(pane === 'prices' ? 'chart.overPrices' : 'chart.ownPane')}</h3>
          {INDICATORS.filter((indicator) => indicator.pane === pane).map((indicator) => (
            <IndicatorRow
              key={indicator.id}
              indicator={indicator}
              params={chosen.find(({ id }) => id === indicator.id)?.params}
              onChange={(params) => change(indicator, params)}
            />
          ))}
        </section>
      ))}
    </Dialog>
  );
}

function IndicatorRow({
  indicator,
  params,
  onChange,
}: {
  indicator: Indicator;
  params: readonly number[] | undefined;
  onChange: (params: readonly number[] | undefined) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
      <Checkbox
        label={<bdi dir="ltr">{indicator.id}</bdi>}
        checked={params !== undefined}
        onChange={({ target }) => onChange(target.checked ? initialOf(indicator).params : undefined)}
        className="min-w-32 text-t1"
      />
      {params !== undefined &&
        indicator.params.map((param, at) => (
          <ParamField
            key={at}
            name={`${indicator.id} ${t(`chart.param.${param.name}`)}`}
            title={t(`chart.param.${param.name}`)}
            value={params[at] ?? param.initial}
            accept={(typed) => acceptParam(param, typed)}
            onChange={(value) =>
              onChange(indicator.params.map((one, other) => (other === at ? value : (params[other] ?? one.initial))))
            }
          />
        ))}
    </div>
  );
}

/** A number field that applies its value on blur or Enter; text that is no number is reset. */
function ParamField({
  name,
  title,
  value,
  accept,
  onChange,
}: {
  name: string;
  title: string;
  value: number;
  accept: (typed: string) => number | undefined;
  onChange: (value: number) => void;
}) {
  const id = useId();
  const [draft, setDraft] = useState<string | undefined>();
  const take = (): void => {
    const next = draft === undefined ? undefined : accept(draft.trim());
    setDraft(undefined);
    if (next !== undefined && next !== value) onChange(next);
  };
  return (
    <input
      id={id}
      aria-label={name}
      title={title}
      inputMode="decimal"
      dir="ltr"
      value={draft ?? String(value)}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take();
      }}
      className="num h-7 w-14 rounded-chip border border-line-strong bg-bg2 px-1.5 text-table text-t1"
    />
  );
}
