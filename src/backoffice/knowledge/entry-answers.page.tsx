import { z } from 'zod';
import { listAnswersCiting } from '../../conversations/list-answers-citing.js';
import type { CitingAnswer } from '../../conversations/store/conversation.js';
import type { Entry } from '../../knowledge/entry.js';
import { getEntry } from '../../knowledge/read-entries.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Nothing } from '../layout/filters.js';
import { KeyPager, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { page } from '../page.js';
import { CitingTable } from './citing-answers.js';

/** All answers that cite an entry, the newest first. */
export const entryAnswersPage = page({
  path: '/knowledge/:name/answers',
  access: 'knowledge.write',
  params: z.object({ name: z.string().min(1).max(100) }),
  query: z.object({ before: z.coerce.number().int().min(1).optional().catch(undefined) }),
  async show(app, { actor, params, query, say }) {
    const { before } = query;
    const entry = await getEntry(app, actor, params.name);
    const citing = await listAnswersCiting(app, actor, {
      name: entry.uuid,
      before,
      page: 1,
      limit: rowsPerPage + 1,
    });
    return {
      title: say.answers.citingTitle(entry.title),
      section: '/knowledge',
      body: <EntryAnswers isFirst={before === undefined} entry={entry} citing={citing} />,
    };
  },
});

interface EntryAnswersProps {
  entry: Entry;
  citing: Paged<CitingAnswer>;
  isFirst: boolean;
}

function EntryAnswers({ entry, citing, isFirst }: EntryAnswersProps) {
  const { say, at, format } = useShown();
  const words = say.answers;
  const { total } = citing;
  const items = citing.items.slice(0, rowsPerPage);
  const next = citing.items.length > rowsPerPage ? items.at(-1)?.id : undefined;
  return (
    <>
      <p class="above">
        <a href={at('/knowledge')}>{say.knowledge.title}</a> ›{' '}
        <a href={at(`/knowledge/${entry.uuid}`)} lang={entry.language}>
          {entry.title}
        </a>
      </p>
      <h1>{words.citing}</h1>
      {items.length === 0 ? (
        <Nothing active={!isFirst} text={words.citingNone} />
      ) : (
        <CitingTable caption={words.citingTitle(entry.title)} answers={items} />
      )}
      <KeyPager
        counted={words.citingCount(format.number(total))}
        next={next === undefined ? undefined : String(next)}
        isFirst={isFirst}
      />
    </>
  );
}
