import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Field, Panel } from '@bourse/ui';
import { FormError } from '../../../forms/form-card.js';
import { publishedKey } from '../api/receipt.js';
import { readReceipt } from '../model/receipt.js';
import { ReceiptChecks } from './receipt-checks.js';

interface Checked {
  readonly file: unknown;
  readonly key: string | null;
}

/** Checks a receipt that somebody saved: nothing of it leaves this browser but the question for the published key. */
export function FileChecker() {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const [checked, setChecked] = useState<Checked>();
  const take = async (files: FileList | null): Promise<void> => {
    const file = files?.[0];
    if (file) setText(await file.text());
  };
  const check = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem(undefined);
    setChecked(undefined);
    const file = readReceipt(text);
    if (file === undefined) return setProblem(t('fairness.unreadable'));
    const typed = key.trim();
    try {
      setChecked({ file, key: typed === '' ? await publishedKey(file) : typed });
    } catch (failure) {
      console.warn('published keys not read', failure);
      setProblem(t('common.loadFailed'));
    }
  };
  return (
    <Panel className="flex flex-col gap-4 p-4">
      <div>
        <h2 className="text-title font-semibold">{t('fairness.formTitle')}</h2>
        <p className="mt-1 max-w-prose text-t2">{t('fairness.formText')}</p>
      </div>
      <form noValidate onSubmit={(event) => void check(event)} className="flex flex-col gap-3">
        <label className="flex flex-col gap-1">
          <span className="text-table text-t2">{t('fairness.file')}</span>
          <input
            type="file"
            name="receipt"
            accept="application/json,.json"
            onChange={(event) => void take(event.target.files)}
            className="rounded-panel border border-line-strong bg-bg2 p-2 text-body"
          />
        </label>
        <label htmlFor={`${id}-text`} className="text-table text-t2">
          {t('fairness.paste')}
        </label>
        <textarea
          id={`${id}-text`}
          name="text"
          dir="ltr"
          rows={6}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="rounded-panel border border-line-strong bg-bg2 p-2 font-mono text-table text-t1"
        />
        <Field
          mono
          label={t('fairness.key')}
          name="key"
          value={key}
          hint={t('fairness.keyHint')}
          onChange={(event) => setKey(event.target.value)}
        />
        <div>
          <Button type="submit" kind="primary">
            {t('fairness.check')}
          </Button>
        </div>
      </form>
      <FormError>{problem}</FormError>
      {checked && <ReceiptChecks file={checked.file} publishedKey={checked.key} />}
    </Panel>
  );
}
