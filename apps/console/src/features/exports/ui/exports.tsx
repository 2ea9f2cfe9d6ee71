import { Download } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@bourse/api-client';
import { EXPORTS } from '@bourse/contract';
import { Alert, Button, DateField, Select } from '@bourse/ui';
import { api } from '../../../core/api.js';
import { PageHead, Section } from '../../../parts/detail.js';
import { saveBlob } from '../../../parts/save-text.js';
import { fieldsFor, fileName, lastWeek, problemOf } from '../model/span.js';

type What = (typeof EXPORTS)[number];
type State =
  | { readonly is: 'ready' | 'busy' }
  | { readonly is: 'saved'; readonly file: string }
  /** The reason is the exchange's message. */
  | { readonly is: 'failed'; readonly reason?: string };

/** Files of the events of a span of days, from the services that own them. */
export default function Exports() {
  const { t } = useTranslation();
  const [what, setWhat] = useState<What>(EXPORTS[0]);
  const [span, setSpan] = useState(() => lastWeek(Date.now()));
  const [state, setState] = useState<State>({ is: 'ready' });
  const problem = problemOf(span);

  const save = async (): Promise<void> => {
    setState({ is: 'busy' });
    try {
      const file = fileName(what, span);
      saveBlob(file, await api.file('/api/admin/export', fieldsFor(what, span), 'text/csv'));
      setState({ is: 'saved', file });
    } catch (error) {
      console.warn('the export did not come', error);
      setState({ is: 'failed', ...(error instanceof ApiError && { reason: error.message }) });
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problem === undefined && state.is !== 'busy') void save();
  };
  const day = (side: 'from' | 'to', error?: string) => (
    <DateField
      name={side}
      label={t(`audit.${side}`)}
      value={span[side]}
      wrongText={(example) => t('common.dateWrong', { example })}
      error={error}
      onDate={(value) => setSpan({ ...span, [side]: value })}
      className="min-w-40 max-sm:flex-1"
    />
  );
  return (
    <>
      <PageHead title={t('place.exports')} />
      <Section title={t('console.exports.title')}>
        <p className="text-t2">{t('console.exports.text')}</p>
        <form noValidate onSubmit={submit} className="flex flex-col gap-3">
          <div className="flex flex-wrap items-start gap-3">
            <Select
              label={t('console.exports.what')}
              value={what}
              options={EXPORTS.map((value) => ({ value, label: t(`console.exports.is.${value}`) }))}
              onChange={setWhat}
              className="min-w-40 max-sm:flex-1"
            />
            {day('from')}
            {day('to', problem && t(problem))}
          </div>
          <p className="text-t2">{t(`console.exports.holds.${what}`)}</p>
          <Button
            kind="primary"
            type="submit"
            busy={state.is === 'busy'}
            disabled={problem !== undefined}
            className="self-start"
          >
            <Download size={16} aria-hidden />
            {t('console.exports.save')}
          </Button>
        </form>
        <div role="status">
          {state.is === 'saved' && <Alert tone="info">{t('console.exports.saved', { file: state.file })}</Alert>}
          {state.is === 'failed' && <Alert tone="error">{state.reason ?? t('console.exports.failed')}</Alert>}
        </div>
      </Section>
    </>
  );
}
