import { z } from 'zod';
import { listAnswersCiting } from '../../conversations/list-answers-citing.js';
import type { CitingAnswer } from '../../conversations/store/conversation.js';
import { createEntry } from '../../knowledge/create-entry.js';
import { deleteEntry } from '../../knowledge/delete-entry.js';
import { addressOfText } from '../../knowledge/address-of-text.js';
import { fileNameOf, longestTitle, type Entry } from '../../knowledge/entry.js';
import { getEntry, listHistory } from '../../knowledge/read-entries.js';
import { updateEntry } from '../../knowledge/update-entry.js';
import { findSourcePlaces, type SourcePlace } from '../../ingestion/review/find-source-places.js';
import type { Paged } from '../../platform/db/select-page.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError, codeOf } from '../../platform/errors.js';
import { getTopic } from '../../insights/topics.js';
import { numberText } from '../../platform/http/paging.js';
import { listDomainChoices, suggestDomain } from '../../tenancy/app-choices.js';
import { DeleteForm } from '../layout/delete-form.js';
import { Form } from '../layout/form.js';
import { withEntryLinks } from '../layout/entry-links.js';
import { Markdown } from '../layout/markdown.js';
import { queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { SourceLink } from '../layout/source-link.js';
import { TryLink } from '../layout/try-link.js';
import { Time } from '../layout/time.js';
import { action, page } from '../page.js';
import { CitingSection, latestCiting } from './citing-answers.js';
import { EntryFields, entryFields } from './entry-form.js';
import { History } from './entry-history.js';
import { PlaceOf, StateBadge } from './entry-parts.js';

const section = '/knowledge';
const name = z.object({ name: z.string().min(1).max(100) });
/** The version that the form was made from, so that nobody overwrites somebody else's change unseen. */
const version = z.string().regex(/^\d{1,15}$/);
const seen = (given: string) => ({ ifMatch: `"${given}"` });
/** Of an entry, those that the page lists. */
const versionsShown = 50;

export const newEntryPage = page({
  path: '/knowledge/new',
  access: 'knowledge.write',
  /** Values that the link to this page fills in, such as a question without an answer as the title. */
  query: z.object({
    title: z.string().max(longestTitle).catch('').default(''),
    domain: z.string().max(255).optional().catch(undefined),
    topic: numberText.optional().catch(undefined),
  }),
  async show(app, { actor, say, query }) {
    const hosts = await listDomainChoices(app, actor);
    const domain = suggestDomain(hosts, query.domain);
    const body = <NewEntry {...query} hosts={hosts} domain={domain} />;
    return { title: say.labels.writeEntry, section, body };
  },
  actions: {
    create: action({
      form: z.object({
        ...entryFields,
        publish: z.literal('on').optional(),
        topic: numberText.optional(),
      }),
      async act(app, { actor, form }) {
        const { publish, topic, ...fields } = form;
        if (fields.domain === null) throw needsDomain();
        const visibility = fields.visibility ?? undefined;
        const status = publish === 'on' ? 'published' : 'draft';
        const entry = await createEntry(app, actor, { ...fields, visibility, status });
        if (topic !== undefined && publish === 'on' && (await isTopic(app, actor, topic)))
          return { to: `/questions/unanswered/${topic}`, done: 'savedForTopic' };
        return { to: `/knowledge/${entry.uuid}`, done: 'saved' };
      },
    }),
  },
});

/** Whether the actor can open the topic: meanwhile it may be settled. */
async function isTopic(app: App, actor: Actor, id: number): Promise<boolean> {
  try {
    return (await getTopic(app, actor, id)).questions.length > 0;
  } catch (error) {
    if (codeOf(error) === 'not_found' || codeOf(error) === 'forbidden') return false;
    throw error;
  }
}

function needsDomain(): AppError {
  const message = 'Name the domain that the entry belongs to.';
  const problems = [{ path: 'domain', message, reason: { is: 'missing' } }];
  return new AppError('invalid_request', message, { problems });
}

export const entryPage = page({
  path: '/knowledge/:name',
  access: 'knowledge.write',
  params: name,
  /** The earlier version that is compared with the present one. */
  query: z.object({ version: version.optional().catch(undefined) }),
  async show(app, { actor, params, query, fault }) {
    const entry = await getEntry(app, actor, params.name);
    const history = await listHistory(app, actor, {
      name: entry.uuid,
      page: 1,
      limit: versionsShown,
    });
    const citing = await listAnswersCiting(app, actor, {
      name: entry.uuid,
      page: 1,
      limit: latestCiting,
    });
    const hosts = await listDomainChoices(app, actor);
    const isStale = fault?.code === 'precondition_failed';
    const [{ content: seen } = entry] = await withEntryLinks(app, actor, [entry]);
    return {
      title: entry.title,
      section,
      body: (
        <EntryPage
          versions={history.items}
          compared={history.items.find((one) => String(one.version) === query.version)}
          entry={entry}
          seen={seen}
          place={(await findSourcePlaces(app, actor, [entry.uuid])).get(entry.uuid)}
          address={await addressOfText(app, entry, entry.content)}
          citing={citing}
          isStale={isStale}
          hosts={hosts}
        />
      ),
    };
  },
  actions: {
    save: action({
      params: name,
      form: z.object({ ...entryFields, version }),
      async act(app, { actor, params, form }) {
        const { version, ...fields } = form;
        const { uuid } = await updateEntry(app, actor, params.name, {
          ...fields,
          ...seen(version),
        });
        return { to: `/knowledge/${uuid}`, done: 'saved' };
      },
    }),
    setStatus: action({
      params: name,
      form: z.object({ version, status: z.enum(['draft', 'published']) }),
      async act(app, { actor, params, form: { version, status } }) {
        await updateEntry(app, actor, params.name, { status, ...seen(version) });
        const done = status === 'draft' ? 'takenBack' : 'entryPublished';
        return { to: `/knowledge/${params.name}`, done };
      },
    }),
    restore: action({
      params: name,
      form: z.object({ version, restored: version }),
      done: 'restored',
      async act(app, { actor, params, form }) {
        const history = await listHistory(app, actor, {
          name: params.name,
          page: 1,
          limit: versionsShown,
        });
        const old = history.items.find((one) => one.version === Number(form.restored));
        if (old === undefined) throw new AppError('not_found', 'This version is no longer kept.');
        const { title, content } = old;
        await updateEntry(app, actor, params.name, { title, content, ...seen(form.version) });
      },
    }),
    delete: action({
      params: name,
      form: z.object({ version, sure: z.literal('on') }),
      async act(app, { actor, params, form }) {
        await deleteEntry(app, actor, params.name, seen(form.version).ifMatch);
        return { to: '/knowledge', done: 'deleted' };
      },
    }),
  },
});

interface NewEntryProps {
  /** The link that led here fills in the title. */
  title: string;
  domain: string | undefined;
  hosts: string[];
  /** The topic without an answer that the entry is written for. */
  topic?: number | undefined;
}

function NewEntry({ title, domain, hosts, topic }: NewEntryProps) {
  const { say } = useShown();
  const empty = { title, content: '', domain: domain ?? null, urlPattern: null, visibility: null };
  return (
    <>
      <h1>{say.labels.writeEntry}</h1>
      <Form action="create">
        {topic === undefined ? null : <input type="hidden" name="topic" value={topic} />}
        <EntryFields of="create" entry={empty} isNew hosts={hosts} />
        <p class="buttons">
          <button class="main" name="publish" value="on">
            {say.knowledge.saveAndPublish}
          </button>
          <button>{say.labels.saveDraft}</button>
        </p>
      </Form>
    </>
  );
}

interface EntryPageProps {
  entry: Entry;
  /** Its text as people see it. */
  seen: string;
  /** Where it stands on the web. */
  address: string | undefined;
  /** Its place in the file that it was read from. */
  place: SourcePlace | undefined;
  versions: Entry[];
  compared: Entry | undefined;
  citing: Paged<CitingAnswer>;
  /** True when the form was made from an older version: both texts are shown. */
  isStale: boolean;
  hosts: string[];
}

function EntryPage(props: EntryPageProps) {
  const { entry, seen, address, place, versions, compared, citing, isStale, hosts } = props;
  const { say, at } = useShown();
  const words = say.knowledge;
  return (
    <>
      <p class="above">
        <a href={at('/knowledge')}>{words.title}</a>
      </p>
      <h1 lang={entry.language}>{entry.title}</h1>
      <Facts entry={entry} address={address} place={place} />
      <p>
        <TryLink question={entry.title} tier={entry.visibility} entry={entry.uuid} />
      </p>
      <div class="beside">
        <section>
          <h2>{say.labels.edit}</h2>
          {isStale ? <p class="hint">{words.stale}</p> : null}
          <Form action="save">
            <input type="hidden" name="version" value={entry.version} />
            <EntryFields of="save" entry={valuesOf(entry)} isNew={false} hosts={hosts} />
            <button class="main">{say.labels.save}</button>
          </Form>
          <StatusForm entry={entry} />
          <DeleteForm words={words}>
            <input type="hidden" name="version" value={entry.version} />
          </DeleteForm>
        </section>
        <section>
          <h2>{words.asSeen}</h2>
          <div class="card">
            <Markdown text={seen} language={entry.language} />
          </div>
          <CitingSection entry={entry} citing={citing} />
        </section>
      </div>
      <History entry={entry} versions={versions} compared={compared} />
    </>
  );
}

function valuesOf(entry: Entry) {
  const { title, content, domain, urlPattern, visibility, visibilityDefaulted } = entry;
  return {
    title,
    content,
    domain,
    urlPattern,
    visibility: visibilityDefaulted ? null : visibility,
  };
}

function Facts({ entry, address, place }: Pick<EntryPageProps, 'entry' | 'address' | 'place'>) {
  const { say, at } = useShown();
  const words = say.knowledge;
  return (
    <dl class="facts">
      <dt>{say.labels.state}</dt>
      <dd>
        <StateBadge entry={entry} />
      </dd>
      <dt>{words.place}</dt>
      <dd>
        <PlaceOf entry={entry} />
      </dd>
      <dt>{say.labels.tier}</dt>
      <dd>{say.tiers[entry.visibility]}</dd>
      {entry.document === null ? null : (
        <>
          <dt>{words.from}</dt>
          <dd>
            <a href={at(`/knowledge?${queryText({ document: entry.document })}`)}>
              {fileNameOf(entry.document)}
            </a>
            {entry.pageFrom === null ? null : `, ${words.pages(entry.pageFrom, entry.pageTo)}`}
            {address === undefined ? null : (
              <>
                {', '}
                <a href={address} rel="noopener noreferrer" target="_blank">
                  {address}
                </a>
              </>
            )}
            <SourceLink place={place} />
          </dd>
        </>
      )}
      <dt>{words.changed}</dt>
      <dd>
        <Time iso={entry.updatedAt} />
      </dd>
    </dl>
  );
}

function StatusForm({ entry }: { entry: Entry }) {
  const { say } = useShown();
  const isDraft = entry.status === 'draft';
  return (
    <Form action="setStatus">
      <input type="hidden" name="version" value={entry.version} />
      <p class="buttons">
        <button name="status" value={isDraft ? 'published' : 'draft'}>
          {isDraft ? say.knowledge.publish : say.knowledge.takeBack}
        </button>
      </p>
    </Form>
  );
}
