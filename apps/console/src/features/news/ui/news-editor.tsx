import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { isLanguage, LANGUAGES, NEWS, type Language } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { Alert, Button, Checkbox, DateField, Empty, Field, Select, Skeleton } from '@bourse/ui';
import { useAdminQuery } from '../../../core/calls.js';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Section } from '../../../parts/detail.js';
import { Failed } from '../../../parts/failed.js';
import { addressOfPicture } from '../../../parts/picture.js';
import { LongField } from '../../../parts/long-field.js';
import {
  frameOf,
  newFrame,
  newsBody,
  newsProblems,
  NO_TEXT,
  textOf,
  withPicture,
  type NewsFrame,
  type NewsRow,
  type NewsText,
} from '../model/news.js';
import { NewsPreview } from './news-preview.js';
import { PictureUpload } from './picture-upload.js';

const PATH = '/api/admin/news';
const CATEGORIES = Object.values(NEWS).toSorted((one, other) => one - other);

/** The unsaved input: texts by language, and the changed shared fields. */
interface Drafts {
  readonly texts: Readonly<Partial<Record<Language, NewsText>>>;
  readonly frame: Partial<NewsFrame>;
}
const NO_DRAFTS: Drafts = { texts: {}, frame: {} };

/** One news item, edited language by language, beside its preview. */
export default function NewsEditor() {
  const { t } = useTranslation();
  const { id = 'new' } = useParams();
  const [query, setQuery] = useSearchParams();
  const asked = query.get('lang') ?? 'en';
  const lang: Language = isLanguage(asked) ? asked : 'en';
  const isNew = id === 'new';
  const list = useAdminQuery(PATH, { id, lang }, { enabled: !isNew });
  const row = isNew ? undefined : list.data?.data[0];
  const [drafts, setDrafts] = useState(NO_DRAFTS);
  const [stored, setStored] = useState<Language>();
  // After a save the editor shows the stored item, not the input.
  useEffect(() => {
    if (stored === undefined || row === undefined) return;
    setDrafts(({ texts: { [stored]: _, ...texts } }) => ({ texts, frame: {} }));
    setStored(undefined);
  }, [row?.update_time]);
  const open = LANGUAGES.filter((one) => drafts.texts[one] !== undefined && one !== lang);
  useUnloadQuestion(
    drafts !== NO_DRAFTS && (Object.keys(drafts.texts).length > 0 || Object.keys(drafts.frame).length > 0),
  );
  const choose = (next: Language): void =>
    setQuery((before) => {
      const after = new URLSearchParams(before);
      after.set('lang', next);
      return after;
    });
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Link to="/news" className="w-fit text-table underline hover:text-t2">
        {t('console.news.back')}
      </Link>
      <header className="flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-last font-semibold">{t(isNew ? 'console.news.new' : 'console.news.edit')}</h1>
        <Select<Language>
          label={t('console.users.language')}
          value={lang}
          options={LANGUAGES.map((value) => ({
            value,
            label: `${LOCALES[value].name}${row?.langs.includes(value) ? ' ✓' : ''}`,
          }))}
          onChange={choose}
        />
      </header>
      {open.length > 0 && (
        <Alert tone="warn">
          {t('console.news.keptHere', { language: open.map((one) => LOCALES[one].name).join(', ') })}
        </Alert>
      )}
      {list.isPending && !isNew && <Skeleton className="h-80 w-full" />}
      {list.isError && !list.data && <Failed error={list.error} retry={() => void list.refetch()} />}
      {!isNew && list.data && !row && <Empty>{t('console.news.gone')}</Empty>}
      {(isNew || row) && (
        <Editor
          key={lang}
          row={row}
          lang={lang}
          text={drafts.texts[lang] ?? (row ? textOf(row, lang) : NO_TEXT)}
          frame={{ ...(row ? frameOf(row) : newFrame(query.get('c_id') ?? String(NEWS.notices))), ...drafts.frame }}
          onText={(text) => setDrafts((before) => ({ ...before, texts: { ...before.texts, [lang]: text } }))}
          onFrame={(change) => setDrafts((before) => ({ ...before, frame: { ...before.frame, ...change } }))}
          onStored={() => setStored(lang)}
        />
      )}
    </div>
  );
}

/** Makes the browser ask before it closes a page with unsaved text. */
function useUnloadQuestion(asks: boolean): void {
  useEffect(() => {
    if (!asks) return;
    const preventUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [asks]);
}

function Editor({
  row,
  lang,
  text,
  frame,
  onText,
  onFrame: set,
  onStored,
}: {
  row: NewsRow | undefined;
  lang: Language;
  text: NewsText;
  frame: NewsFrame;
  onText: (text: NewsText) => void;
  onFrame: (change: Partial<NewsFrame>) => void;
  onStored: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const problems = newsProblems(text, { row, lang, publishAt: frame.publishAt });
  const isWrong = Object.keys(problems).length > 0;
  const problemOf = (name: keyof typeof problems): string | undefined => {
    const problem = problems[name];
    return tried && problem !== undefined ? t(problem) : undefined;
  };
  // Input that was typed during an upload is kept.
  const latest = useRef(text);
  latest.current = text;
  const update = (change: Partial<NewsText>): void => onText({ ...latest.current, ...change });
  const save = (): void => {
    setTried(true);
    if (!isWrong) setSaving(true);
  };
  const { dir } = LOCALES[lang];
  return (
    <div data-lang={lang} className="grid min-w-0 items-start gap-4 xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Section title={t('console.news.text')}>
          <div className="flex flex-col gap-3">
            {problemOf('lang') !== undefined && (
              <p role="alert" className="text-down">
                {problemOf('lang')}
              </p>
            )}
            <Field
              label={t('console.news.heading')}
              dir={dir}
              value={text.title}
              maxLength={200}
              error={problemOf('title')}
              onChange={(event) => update({ title: event.target.value })}
            />
            <Field
              label={t('console.news.abstract')}
              dir={dir}
              value={text.abstract}
              maxLength={500}
              onChange={(event) => update({ abstract: event.target.value })}
            />
            <LongField
              label={t('console.news.content')}
              hint={t('console.news.contentHint')}
              rows={14}
              max={60_000}
              dir={dir}
              value={text.content}
              error={problemOf('content')}
              onChange={(content) => update({ content })}
            />
            <PictureUpload
              label={t('console.news.intoText')}
              of={text.title}
              onStored={(address) => update({ content: withPicture(latest.current.content, address) })}
            />
          </div>
        </Section>
        <Frame frame={frame} set={set} title={text.title} />
        <Button kind="primary" className="w-fit" onClick={save}>
          {t('console.news.save')}
        </Button>
      </div>
      <Section title={t('console.news.preview')}>
        <NewsPreview text={text} cover={frame.cover} link={frame.link} lang={lang} />
      </Section>
      {saving && (
        <ActDialog
          open
          onClose={() => setSaving(false)}
          title={t('console.news.saveTitle', { language: LOCALES[lang].name })}
          explain={t(row?.langs.includes(lang) ? 'console.news.changeExplain' : 'console.news.publishExplain')}
          action={t('console.news.save')}
          path={PATH}
          body={newsBody({ text, frame, lang }, row)}
          invalidate={[PATH]}
          done={(answer) => {
            const { id } = answer as { readonly id?: number };
            onStored();
            if (id !== undefined) void navigate(`/news/${id}?c_id=${frame.category}&lang=${lang}`, { replace: true });
          }}
        />
      )}
    </div>
  );
}

/** The fields that all languages share. */
function Frame({ frame, set, title }: { frame: NewsFrame; set: (change: Partial<NewsFrame>) => void; title: string }) {
  const { t } = useTranslation();
  return (
    <Section title={t('console.news.frame')}>
      <div className="flex flex-col gap-3">
        <Select
          label={t('console.news.category')}
          value={frame.category}
          options={CATEGORIES.map((value) => ({ value: String(value), label: t(`console.news.is.${value}`) }))}
          onChange={(category) => set({ category })}
        />
        {frame.cover !== '' && (
          <div className="flex flex-wrap items-end gap-3">
            <img
              src={addressOfPicture(frame.cover)}
              alt={t('console.news.cover')}
              className="h-24 rounded-panel border border-line"
            />
            <Button size="small" onClick={() => set({ cover: '' })}>
              {t('console.news.noCover')}
            </Button>
          </div>
        )}
        <PictureUpload label={t('console.news.cover')} of={title} onStored={(cover) => set({ cover })} />
        <Field
          label={t('console.news.link')}
          hint={t('console.news.linkHint')}
          mono
          value={frame.link}
          maxLength={500}
          onChange={(event) => set({ link: event.target.value })}
        />
        <div className="grid gap-3 md:grid-cols-2">
          <DateField
            label={t('console.news.publishAtUtc')}
            withTime
            value={frame.publishAt}
            wrongText={(example) => t('common.dateWrong', { example })}
            onDate={(publishAt) => set({ publishAt })}
          />
          <Field
            label={t('console.news.place')}
            hint={t('console.news.placeHint')}
            numeric
            value={frame.place}
            onChange={(event) => set({ place: event.target.value.replace(/\D/g, '').slice(0, 7) })}
          />
        </div>
        <Checkbox
          label={t('console.news.pinned')}
          checked={frame.isPinned}
          onChange={(event) => set({ isPinned: event.target.checked })}
        />
      </div>
    </Section>
  );
}
