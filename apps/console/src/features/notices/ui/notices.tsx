import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { LANGUAGES, type Language } from '@bourse/contract';
import { LOCALES } from '@bourse/i18n';
import { Button, Empty, Field, RadioGroup, Select } from '@bourse/ui';
import { ActDialog } from '../../../parts/act-dialog.js';
import { Section } from '../../../parts/detail.js';
import { LongField } from '../../../parts/long-field.js';
import { NewsContent } from '../../../parts/news-content.js';
import {
  messageBody,
  messageProblems,
  NO_MESSAGE,
  NO_WORDS,
  paragraphs,
  readIn,
  writtenIn,
  type Message,
  type MessageText,
} from '../model/message.js';

/** A message to one person or to everybody, in one or more languages, beside its preview. */
export default function Notices() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const [message, setMessage] = useState<Message>({ ...NO_MESSAGE, userId: query.get('user') ?? '' });
  const [lang, setLang] = useState<Language>('en');
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const problems = messageProblems(message);
  const written = writtenIn(message);
  const words = message.texts[lang] ?? NO_WORDS;
  const told = (name: 'userId' | 'title' | 'content' | 'texts'): string | undefined => {
    const problem = problems[name];
    if (!tried || problem === undefined) return undefined;
    // A problem in one language is shown beside the text in that language.
    return (name === 'title' || name === 'content') && problems.lang !== lang ? undefined : t(problem);
  };
  const put = (change: Partial<Message>): void => setMessage((before) => ({ ...before, ...change }));
  const write = (change: Partial<MessageText>): void =>
    put({ texts: { ...message.texts, [lang]: { ...words, ...change } } });
  const send = (): void => {
    setTried(true);
    if (problems.lang !== undefined) setLang(problems.lang);
    if (Object.keys(problems).length === 0) setSending(true);
  };
  const { dir } = LOCALES[lang];
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <h1 className="text-last font-semibold">{t('console.notices.title')}</h1>
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-2">
        <Section title={t('console.notices.message')}>
          <div className="flex flex-col gap-3">
            <RadioGroup
              label={t('console.notices.to')}
              value={message.to}
              choices={[
                { value: 'one', label: t('console.notices.one') },
                { value: 'all', label: t('console.notices.all'), hint: t('console.notices.allHint') },
              ]}
              onChange={(to) => put({ to })}
            />
            {message.to === 'one' && (
              <Field
                label={t('console.people.id')}
                numeric
                value={message.userId}
                error={told('userId')}
                onChange={(event) => put({ userId: event.target.value })}
              />
            )}
            <Select<Language>
              label={t('console.notices.language')}
              value={lang}
              options={LANGUAGES.map((value) => ({
                value,
                label: `${LOCALES[value].name}${written.includes(value) ? ' ✓' : ''}`,
              }))}
              onChange={setLang}
            />
            {written.length > 0 && (
              <p className="text-label text-t2">{t('console.notices.written', { languages: written.join(' ') })}</p>
            )}
            {told('texts') !== undefined && (
              <p role="alert" className="text-table text-down">
                {told('texts')}
              </p>
            )}
            <Field
              label={t('console.news.heading')}
              dir={dir}
              value={words.title}
              maxLength={200}
              error={told('title')}
              onChange={(event) => write({ title: event.target.value })}
            />
            <LongField
              label={t('console.news.content')}
              hint={t('console.notices.contentHint')}
              rows={8}
              max={20_000}
              dir={dir}
              value={words.content}
              error={told('content')}
              onChange={(content) => write({ content })}
            />
            <Button kind="primary" className="w-fit" onClick={send}>
              {t('console.notices.send')}
            </Button>
          </div>
        </Section>
        <Section title={t('console.news.preview')}>
          <Preview message={message} asked={lang} />
        </Section>
      </div>
      {sending && (
        <ActDialog
          open
          onClose={() => setSending(false)}
          title={t('console.notices.send')}
          explain={
            message.to === 'all'
              ? t('console.notices.allExplain')
              : t('console.notices.oneExplain', { id: message.userId })
          }
          danger={message.to === 'all'}
          action={t(message.to === 'all' ? 'console.notices.ask' : 'console.notices.send')}
          path="/api/admin/notices"
          body={messageBody(message)}
          invalidate={['/api/admin/audit']}
          done={() => {
            setTried(false);
            setMessage(NO_MESSAGE);
          }}
        />
      )}
    </div>
  );
}

function Preview({ message, asked }: { message: Message; asked: Language }) {
  const { t } = useTranslation();
  const {
    lang,
    text: { title, content },
  } = readIn(message, asked);
  const { htmlLang, dir, name } = LOCALES[lang];
  if (title === '' && content === '') return <Empty>{t('console.news.nothingYet')}</Empty>;
  return (
    <>
      {lang !== asked && <p className="text-table text-t2">{t('console.notices.readAs', { language: name })}</p>}
      <article lang={htmlLang} dir={dir} aria-label={t('console.news.preview')} className="flex min-w-0 flex-col gap-3">
        <h3 className="text-title font-semibold break-words">{title}</h3>
        <NewsContent html={paragraphs(content)} className="prose-news flex flex-col gap-3 break-words" />
      </article>
    </>
  );
}
