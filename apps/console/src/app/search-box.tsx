import { Search } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { addressOf } from '../paths.js';

/** The search over everything, in the header of each screen; Ctrl+K or ⌘K leads to it. */
export function SearchBox() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') void navigate(`${addressOf('search')}?text=${encodeURIComponent(text.trim())}`);
  };
  return (
    <form role="search" aria-label={t('search.everything')} onSubmit={submit} className="min-w-0 flex-1 md:max-w-96">
      <label
        className={
          'flex h-8 items-center gap-2 rounded-panel border border-line-strong bg-bg2 px-2 text-t2 ' +
          'focus-within:border-accent focus-within:outline focus-within:outline-accent'
        }
      >
        <Search size={14} aria-hidden className="shrink-0" />
        <input
          ref={field}
          type="search"
          name="everything"
          maxLength={100}
          aria-label={t('search.everything')}
          placeholder={t('search.hint')}
          title={t('search.keys')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="min-w-0 flex-1 bg-transparent text-body text-t1 outline-none placeholder:text-t2"
        />
      </label>
    </form>
  );
}
