import { z } from 'zod';
import { page } from '../page.js';
import { findEverything, type Found, shown } from './find-everything.js';
import type { ComponentChildren } from 'preact';
import { mostCounted } from '../../conversations/read-conversations.js';
import { foldAccents, foldCase } from '../../language/fold.js';
import { StateBadge } from '../knowledge/entry-parts.js';
import { Group } from '../layout/group.js';
import { navigation } from '../layout/navigation.js';
import { queryText } from '../layout/pager.js';
import { SearchBox } from '../layout/search-box.js';
import { Work } from '../layout/work.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';
import { StatusBadge } from '../questions/request-parts.js';

export const searchPage = page({
  path: '/search',
  access: 'knowledge.write',
  query: z.object({ q: z.string().trim().max(200).catch('').default('') }),
  async show(app, { actor, query: { q }, say }) {
    const found: Found | undefined = q === '' ? undefined : await findEverything(app, actor, q);
    const title = q === '' ? say.search.title : `${q} · ${say.search.title}`;
    return { title, body: <SearchView q={q} found={found} /> };
  },
});

/** The results of a search, by kind. `found` is undefined before anything was searched for. */
function SearchView({ q, found }: { q: string; found: Found | undefined }) {
  const { say } = useShown();
  const words = say.search;
  return (
    <>
      <h1>{words.title}</h1>
      <SearchBox value={q} />
      {found === undefined ? <p class="hint">{words.about}</p> : <Results q={q} found={found} />}
    </>
  );
}

function Results({ q, found }: { q: string; found: Found }) {
  const { say, at, signedIn } = useShown();
  const { entries, documents, questions, conversations, people } = found;
  const fold = (text: string) => foldAccents(foldCase(text));
  const pages = navigation(signedIn?.user.role ?? 'user')
    .flatMap(({ links }) => links)
    .filter(({ text }) => fold(text(say)).includes(fold(q)));
  const isEmpty = pages.length === 0 && Object.values(found).every(({ total }) => total === 0);
  if (isEmpty) {
    return (
      <>
        <p class="nothing" role="status">
          {say.search.nothing(q)}
        </p>
        <p class="hint">{say.search.about}</p>
      </>
    );
  }
  return (
    <>
      {pages.length === 0 ? null : (
        <section>
          <h2>{say.search.pages}</h2>
          <ul class="waiting">
            {pages.map(({ path, text }) => (
              <Work key={path} name={<a href={at(path)}>{text(say)}</a>} />
            ))}
          </ul>
        </section>
      )}
      <Some
        kind={say.knowledge.title}
        total={entries.total}
        to="/knowledge"
        query={{ q }}
        rows={entries.items.map((entry) => (
          <Work
            name={
              <a href={at(`/knowledge/${entry.uuid}`)} lang={entry.language}>
                {entry.title}
              </a>
            }
          >
            <StateBadge entry={entry} />
          </Work>
        ))}
      />
      <Some
        kind={say.documents.title}
        total={documents.total}
        to="/documents"
        query={{ name: q }}
        rows={documents.items.map(({ id, fileName, createdAt }) => (
          <Work name={<a href={at(`/documents/${id}`)}>{fileName}</a>}>
            <Time iso={createdAt} />
          </Work>
        ))}
      />
      <Some
        kind={say.questions.title}
        total={questions.total}
        to="/questions"
        query={{ status: 'all', q }}
        rows={questions.items.map(({ id, question, status, createdAt }) => (
          <Work name={<a href={at(`/questions/${id}`)}>{question}</a>}>
            <StatusBadge status={status} /> <Time iso={createdAt} />
          </Work>
        ))}
      />
      <Some
        kind={say.conversations.title}
        {...conversations}
        to="/conversations"
        query={{ q }}
        rows={conversations.items.map(({ id, title, updatedAt }) => (
          <Work name={<a href={at(`/conversations/${id}`)}>{title}</a>}>
            <Time iso={updatedAt} />
          </Work>
        ))}
      />
      <Some
        kind={say.people.title}
        total={people.total}
        to="/people"
        query={{ q }}
        rows={people.items.map(({ id, displayName, email }) => (
          <Work name={<a href={at(`/people/${id}`)}>{displayName}</a>}>{email}</Work>
        ))}
      />
    </>
  );
}

interface SomeProps {
  kind: string;
  total: number;
  /** True when there may be more. */
  isPart?: boolean;
  /** The list of the kind, and the filter with which it shows all of them. */
  to: string;
  query: Record<string, string>;
  rows: ComponentChildren[];
}

function Some({ kind, total, isPart = false, to, query, rows }: SomeProps) {
  const { say, format } = useShown();
  const isMore = isPart || total > mostCounted;
  const count = `${format.number(Math.min(total, mostCounted))}${isMore ? '+' : ''}`;
  return (
    <Group
      title={kind}
      to={`${to}?${queryText(query)}`}
      rows={rows}
      all={total > shown ? say.search.all(count, kind) : undefined}
    />
  );
}
