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
import { messageBody, messageProblems, NO_MESSAGE, paragraphs, type Message } from '../model/message.js';

/** A message to one person or to everybody, beside what they will read. */
export default function Notices() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const [message, setMessage] = useState<Message>({ ...NO_MESSAGE, userId: query.get('user') ?? '' });
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const problems = messageProblems(message);
  const told = (name: keyof typeof problems): string | undefined => {
    const problem = problems[name];
    return tried && problem !== undefined ? t(problem) : undefined;
  };
  const put = (change: Partial<Message>): void => setMessage((before) => ({ ...before, ...change }));
  const send = (): void => {
    setTried(true);
    if (Object.keys(problems).length === 0) setSending(true);
  };
  const { dir } = LOCALES[message.lang];
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
              label={t('console.users.language')}
              value={message.lang}
              options={LANGUAGES.map((value) => ({ value, label: LOCALES[value].name }))}
              onChange={(lang) => put({ lang })}
            />
            <Field
              label={t('console.news.heading')}
              dir={dir}
              value={message.title}
              maxLength={200}
              error={told('title')}
              onChange={(event) => put({ title: event.target.value })}
            />
            <LongField
              label={t('console.news.content')}
              hint={t('console.notices.contentHint')}
              rows={8}
              max={20_000}
              dir={dir}
              value={message.content}
              error={told('content')}
              onChange={(content) => put({ content })}
            />
            <Button kind="primary" className="w-fit" onClick={send}>
              {t('console.notices.send')}
            </Button>
          </div>
        </Section>
        <Section title={t('console.news.preview')}>
          <Preview message={message} />
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
          path="/api/admin/notices"
          body={messageBody(message)}
          invalidate={['/api/admin/audit']}
          done={() => {
            setTried(false);
            setMessage({ ...NO_MESSAGE, lang: message.lang });
          }}
        />
      )}
    </div>
  );
}

function Preview({ message: { lang, title, content } }: { message: Message }) {
  const { t } = useTranslation();
  const { htmlLang, dir } = LOCALES[lang];
  if (title === '' && content === '') return <Empty>{t('console.news.nothingYet')}</Empty>;
  return (
    <article lang={htmlLang} dir={dir} aria-label={t('console.news.preview')} className="flex min-w-0 flex-col gap-3">
      <h3 className="text-title font-semibold break-words">{title}</h3>
      <NewsContent html={paragraphs(content)} className="prose-news flex flex-col gap-3 break-words" />
    </article>
  );
}
