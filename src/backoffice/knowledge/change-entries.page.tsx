import { z } from 'zod';
import {
  changeEntries,
  entryChanges,
  type ChangedEntries,
  type WantedChange,
} from '../../knowledge/change-entries.js';
import type { Entry } from '../../knowledge/entry.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Paged } from '../../platform/db/select-page.js';
import { AppError } from '../../platform/errors.js';
import { Form } from '../layout/form.js';
import { ChangeOutcome } from '../layout/change-outcome.js';
import { useShown } from '../layout/shown.js';
import { action, page, type View } from '../page.js';
import { ChangeButtons } from './change-form.js';
import { namedVersions, versionText } from '../layout/named-versions.js';
import { entryFilter, filterText, findEntries, type EntryFilter } from './entry-list.js';

const section = '/knowledge';
/** The most entries that one form changes. */
const mostAtOnce = 1000;
/** Entries that are read at a time, since each may be long. */
const slice = 200;
const examples = 10;

const undone = z.enum(entryChanges).exclude(['delete']);

const changeForm = z.object({
  change: z.enum(['publish', 'take_back', 'tier', 'delete']),
  tier: z.enum(['public', 'authenticated', 'internal', 'as_app']),
  /** The filter of the list, as its address has it. */
  list: z.string().max(2000).default(''),
  entry: namedVersions.optional(),
  /** Of all that fit: how many the person was told. */
  total: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});

/** All entries that fit a filter, before they are changed; and what became of a change of many. */
export const changeEntriesPage = page({
  path: '/knowledge/change',
  access: 'knowledge.write',
  query: entryFilter,
  async show(app, { actor, query, fault, say }) {
    const filter = fault === undefined ? query : filterOf(fault.values['list'] ?? '');
    const found = await findEntries(app, actor, filter, {
      page: 1,
      limit: examples,
      sort: 'created_at',
    });
    return {
      title: say.knowledge.bulk.title,
      section,
      body: <ChangeAll filter={filter} found={found} />,
    };
  },
  actions: {
    change: action({
      form: changeForm,
      async act(app, { actor, form, say }) {
        const { change, tier, list, entry, total } = form;
        const filter = filterOf(list);
        if (entry === undefined && total === undefined)
          return { to: `${section}?${filterText(filter)}`, done: 'noneTicked' };
        const named =
          entry === undefined ? await allThatFit(app, actor, filter, Number(total)) : entry;
        const name = change === 'tier' ? tier : change;
        const done = await changeEntries(
          app,
          actor,
          named.map((one) => ({ ...one, change: name })),
        );
        return outcome(say.knowledge.bulk.title, { done, filter });
      },
    }),
    undo: action({
      form: z.object({ entries: z.string(), list: z.string().max(2000).default('') }),
      async act(app, { actor, form, say }) {
        const wanted = form.entries.split(' ').slice(0, mostAtOnce).map(undoIn);
        const done = await changeEntries(app, actor, wanted);
        return outcome(say.knowledge.bulk.title, {
          done,
          filter: filterOf(form.list),
          isUndo: true,
        });
      },
    }),
  },
});

function filterOf(list: string): EntryFilter {
  return entryFilter.parse(Object.fromEntries(new URLSearchParams(list)));
}

function undoIn(text: string): WantedChange {
  const at = text.lastIndexOf(':');
  const change = undone.safeParse(text.slice(at + 1));
  const [named] = namedVersions.safeParse(text.slice(0, at)).data ?? [];
  if (change.success && named !== undefined) return { ...named, change: change.data };
  throw new AppError('invalid_request', 'This form was changed. Open the list again.', {
    reason: { is: 'form_changed' },
  });
}

/** The oldest that fit. Errors: `conflict` when other entries fit than the person was told. */
async function allThatFit(app: App, actor: Actor, filter: EntryFilter, told: number) {
  const named: { name: string; version: number }[] = [];
  for (let page = 1; named.length < mostAtOnce; page += 1) {
    const found = await findEntries(app, actor, filter, { page, limit: slice, sort: 'created_at' });
    if (page === 1 && found.total !== told) {
      const sentence = `By now ${found.total} entries fit the filter, not ${told}. Look at them, and try again.`;
      throw new AppError('conflict', sentence, {
        reason: { is: 'other_entries', now: found.total, told },
      });
    }
    named.push(...found.items.map(({ uuid: name, version }) => ({ name, version })));
    if (found.items.length < slice) break;
  }
  return named;
}

function ChangeAll({ filter, found }: { filter: EntryFilter; found: Paged<Entry> }) {
  const { say, format, at } = useShown();
  const words = say.knowledge.bulk;
  const { total, items } = found;
  return (
    <>
      <h1>{words.title}</h1>
      <p>{words.fit(format.number(total))}</p>
      <ul class="examples">
        {items.map(({ uuid, title, language }) => (
          <li key={uuid}>
            <a href={at(`/knowledge/${uuid}`)} lang={language}>
              {title}
            </a>
          </li>
        ))}
        {total > items.length ? (
          <li>{say.labels.andMore(format.number(total - items.length))}</li>
        ) : null}
      </ul>
      {total > mostAtOnce ? <p>{words.mostAtOnce(format.number(mostAtOnce))}</p> : null}
      {total === 0 ? null : (
        <Form action="change">
          <input type="hidden" name="list" value={filterText(filter)} />
          <input type="hidden" name="total" value={total} />
          <ChangeButtons legend={words.allOfThem} />
        </Form>
      )}
      <Back filter={filter} />
    </>
  );
}

interface OutcomeProps {
  done: ChangedEntries;
  filter: EntryFilter;
  isUndo?: boolean;
}

/** Seen only once, since the undo names what was changed. Sent again, the form changes nothing: versions have gone on. */
function outcome(title: string, props: OutcomeProps): View {
  return { title, section, body: <Outcome {...props} /> };
}

function Outcome({ done, filter, isUndo = false }: OutcomeProps) {
  const { say, format } = useShown();
  const words = say.knowledge.bulk;
  const { changed, unchanged, refused, undo } = done;
  const told = (isUndo ? words.undone : words.changed)(format.number(changed));
  const same = unchanged > 0 ? ` ${words.unchanged(format.number(unchanged))}` : '';
  const values = { list: filterText(filter), entries: undo.map(undoText).join(' ') };
  return (
    <ChangeOutcome
      title={words.title}
      told={`${told}${same}`}
      undo={undo.length === 0 || isUndo ? undefined : { to: '/knowledge/change', values }}
      refused={refused}
      refusedTitle={words.refused}
    >
      <Back filter={filter} />
    </ChangeOutcome>
  );
}

function undoText({ change, ...named }: WantedChange) {
  return `${versionText(named)}:${change}`;
}

function Back({ filter }: { filter: EntryFilter }) {
  const { say, at } = useShown();
  const query = filterText(filter);
  return (
    <p class="back">
      <a href={at(query === '' ? section : `${section}?${query}`)}>{say.knowledge.bulk.back}</a>
    </p>
  );
}
