import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, type Fields } from '@bourse/api-client';
import { Alert, Button, Dialog, Field, Select } from '@bourse/ui';
import { toastDone, useSubmission } from '@bourse/web';
import { act, outdate, type ActAnswer, type ActPath } from '../core/calls.js';
import { LongField } from './long-field.js';
import { changedOf, problemsOf, REASON_MIN, sentOf, type ActField } from './act-model.js';
import { TextsField } from './texts-field.js';

export type { ActAnswer } from '../core/calls.js';

export interface ActDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** The effect of the act, the person concerned, and what cannot be undone. */
  explain?: ReactNode;
  fields?: readonly ActField[];
  /** Values the fields begin with. */
  initial?: Readonly<Record<string, string>>;
  /** The fields show an existing object: only those that differ from `initial` are sent, emptied ones included. */
  changesOnly?: boolean;
  /** The act removes something, or cannot be undone. */
  danger?: boolean;
  path: ActPath;
  /** Of the call; POST without it. */
  method?: 'POST' | 'DELETE';
  /** Fields that name the object of the act; sent with the others. */
  body?: Fields;
  /** The label of the main button: what it does. */
  action: string;
  done?: (answer: ActAnswer) => void;
  /** Paths whose answers the act makes stale, besides the waiting approvals. */
  invalidate?: readonly string[];
}

/**
 * The dialog of every act: asks for the reason, sends the call once, shows a refusal at its field, and says when a
 * second operator has to approve.
 */
export function ActDialog(props: ActDialogProps) {
  // One opening of the dialog is one act; the next opening starts over.
  return props.open ? <Open {...props} /> : null;
}

function Open(props: ActDialogProps) {
  const { onClose, title, explain, fields = [], initial = {}, danger = false, path, body, invalidate = [] } = props;
  const { t } = useTranslation();
  const form = useId();
  const submission = useSubmission('act.silence');
  const [values, setValues] = useState<Readonly<Record<string, string>>>(initial);
  const [tried, setTried] = useState(false);
  const [unchanged, setUnchanged] = useState(false);
  const [refused, setRefused] = useState<ApiError>();
  const [waits, setWaits] = useState<ActAnswer>();
  const [leaving, setLeaving] = useState(false);
  const problems = problemsOf(fields, values);
  const names = new Set([...fields.map(({ name }) => name), 'reason']);

  const set = (name: string, value: string): void => {
    setValues({ ...values, [name]: value });
    setUnchanged(false);
    setLeaving(false);
    if (refused?.field === name) setRefused(undefined);
  };
  const errorOf = (name: string): string | undefined => {
    if (refused?.field === name) return refused.message;
    const problem = problems[name];
    return tried && problem ? t(problem, { count: REASON_MIN }) : undefined;
  };
  const send = async (): Promise<void> => {
    setTried(true);
    setRefused(undefined);
    if (Object.keys(problems).length > 0) return;
    const written = props.changesOnly ? changedOf(fields, values, initial) : sentOf(fields, values);
    if (written === undefined) return setUnchanged(true);
    const sent = { ...body, ...written };
    await submission.run(async (intent) => {
      try {
        const answer = await act(props.method ?? 'POST', path, sent, intent);
        void outdate([...invalidate, '/api/admin/approvals', '/api/admin/dashboard']);
        props.done?.(answer);
        if (answer.approval_id !== undefined) return setWaits(answer);
        if (typeof answer.message === 'string' && answer.key !== undefined) toastDone(answer.message);
        onClose();
      } catch (failure) {
        if (failure instanceof ApiError) setRefused(failure);
        throw failure;
      }
    }, sent);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    void send();
  };
  const close = (): void => {
    if (!submission.busy) onClose();
  };
  // A press beside the dialog is often a mistake, so only its own button discards what was typed.
  const typed = Object.entries(values).some(([name, value]) => value.trim() !== (initial[name] ?? '').trim());
  const leave = (): void => {
    if (typed) setLeaving(true);
    else close();
  };

  if (waits)
    return (
      <Dialog
        open
        onClose={onClose}
        title={title}
        closeLabel={t('common.close')}
        actions={
          <Button kind="primary" data-autofocus="" onClick={onClose}>
            {t('common.close')}
          </Button>
        }
      >
        <Alert tone="info" title={typeof waits.message === 'string' ? waits.message : t('act.waiting')}>
          {t('act.secondOperator', { id: waits.approval_id })}
        </Alert>
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={leave}
      title={title}
      description={explain}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button disabled={submission.busy} onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" form={form} busy={submission.busy}>
            {props.action}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={errorOf(field.name)}
            onChange={(value) => set(field.name, value)}
          />
        ))}
        <LongField
          name="reason"
          label={t('act.reason')}
          rows={2}
          value={values['reason'] ?? ''}
          error={errorOf('reason')}
          hint={t('act.reasonHint')}
          onChange={(value) => set('reason', value)}
        />
        {unchanged && <Alert tone="error">{t('act.nothingChanged')}</Alert>}
        {submission.refusal !== undefined && !(refused?.field !== undefined && names.has(refused.field)) && (
          <Alert tone="error">{submission.refusal}</Alert>
        )}
      </form>
      {leaving && (
        <Alert tone="error" title={t('act.discard')}>
          <span className="flex flex-wrap gap-2 pt-2">
            <Button size="small" onClick={() => setLeaving(false)}>
              {t('act.discardNo')}
            </Button>
            <Button size="small" kind="danger" disabled={submission.busy} onClick={close}>
              {t('act.discardYes')}
            </Button>
          </span>
        </Alert>
      )}
    </Dialog>
  );
}

/** One field of an act, by its kind. */
function OneField({
  field: { name, label, kind, options = [], hint },
  value,
  error,
  onChange,
}: {
  field: ActField;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  if (kind === 'flag')
    return (
      <label className="flex items-center gap-2 text-body">
        <input
          type="checkbox"
          name={name}
          checked={value === '1'}
          onChange={(event) => onChange(event.target.checked ? '1' : '0')}
          className="size-4 accent-(--accent)"
        />
        {label}
        {error !== undefined && <span className="text-table text-down">{error}</span>}
      </label>
    );
  if (kind === 'choice')
    return (
      <div className="flex flex-col gap-1">
        <Select
          label={label}
          value={value}
          options={[...(value === '' ? [{ value: '', label: t('act.choose') }] : []), ...options]}
          onChange={onChange}
        />
        {error !== undefined && (
          <p role="alert" className="text-table text-down">
            {error}
          </p>
        )}
      </div>
    );
  if (kind === 'texts') return <TextsField name={name} label={label} value={value} error={error} onChange={onChange} />;
  if (kind === 'long')
    return <LongField name={name} label={label} rows={4} value={value} error={error} hint={hint} onChange={onChange} />;
  return (
    <Field
      name={name}
      label={label}
      numeric={kind === 'amount'}
      type={kind === 'password' ? 'password' : undefined}
      autoComplete={kind === 'password' ? 'new-password' : 'off'}
      value={value}
      error={error}
      hint={hint}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
