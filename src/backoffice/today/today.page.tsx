import { hideChecklist, isChecklistHidden } from '../../accounts/users/preferences.js';
import type { CountedBatch } from '../../ingestion/batches/batch.js';
import { listBatches, listBatchesToReview } from '../../ingestion/review/list-batches.js';
import { listTopics, type Topic } from '../../insights/topics.js';
import { countWork, mostWork, type Work as WorkCounts } from '../../operations/count-work.js';
import type { KeptExamination } from '../../operations/kept-examination.js';
import { listFindings } from '../../operations/start-examination.js';
import { listSetupSteps, type SetupStep } from '../../operations/list-setup-steps.js';
import { may, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Paged } from '../../platform/db/select-page.js';
import { listRequests, type ShownRequest } from '../../requests/read-requests.js';
import { CheckLine } from '../layout/checks.js';
import { Group } from '../layout/group.js';
import { Growing } from '../layout/growing.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';
import { Work } from '../layout/work.js';
import { action, page } from '../page.js';
import { Badge } from '../layout/badge.js';
import { Form } from '../layout/form.js';
import { navigation } from '../layout/navigation.js';

/** As many of each kind as one looks at; the rest stands on the page of the kind. */
const shown = 5;

interface Waits {
  work: WorkCounts;
  requests: Paged<ShownRequest>;
  batches: CountedBatch[];
  failed: Paged<CountedBatch>;
  topics: Paged<Topic>;
  findings: KeptExamination['checks'];
}

export const todayPage = page({
  path: '/',
  access: 'knowledge.write',
  async show(app, { actor, say, signedIn }) {
    const first = { page: 1, limit: shown, oldestFirst: true };
    const [work, requests, batches, failed, topics, findings, steps] = await Promise.all([
      countWork(app, actor),
      listRequests(app, actor, { ...first, statuses: ['open', 'in_progress'] }),
      listBatchesToReview(app, actor, shown, { oldestFirst: true }),
      listBatches(app, actor, { ...first, status: 'failed' }),
      listTopics(app, actor, { page: 1, limit: shown }),
      listFindings(app, actor),
      may(actor, 'administer') ? openSteps(app, actor, signedIn?.user.id ?? 0) : undefined,
    ]);
    const waits = { work, requests, batches, failed, topics, findings };
    const body = <Today waits={waits} steps={steps} />;
    return { title: say.today.title, body };
  },
  actions: {
    hideChecklist: action({
      async act(app, { actor }) {
        await hideChecklist(app, actor, true);
        return { to: '/' };
      },
    }),
    showChecklist: action({
      async act(app, { actor }) {
        await hideChecklist(app, actor, false);
        return { to: '/' };
      },
    }),
  },
});

/** The steps of the checklist; undefined when all are done, and for those who have hidden it. */
async function openSteps(app: App, actor: Actor, userId: number): Promise<SetupStep[] | undefined> {
  if (await isChecklistHidden(app, userId)) return undefined;
  const steps = await listSetupSteps(app, actor);
  return steps.every(({ done }) => done) ? undefined : steps;
}

/** The work that waits for a person, and the steps that a new installation still needs. */
function Today({ waits, steps }: { waits: Waits; steps: SetupStep[] | undefined }) {
  const { say, at, format } = useShown();
  const words = say.today;
  const { work, requests, batches, failed, topics, findings } = waits;
  const { drafts, deadDeliveries } = work;
  const waiting = [drafts, requests.total, failed.total, deadDeliveries, topics.total];
  const isIdle = waiting.every((count) => count === 0) && findings.length === 0;
  const counted = (count: number) =>
    count > mostWork ? `${format.number(mostWork)}+` : format.number(count);
  return (
    <>
      <h1>{words.title}</h1>
      {steps === undefined ? null : <Checklist steps={steps} />}
      {isIdle && steps === undefined ? <p class="nothing">{words.nothing}</p> : null}
      <Group
        title={words.questions(counted(requests.total))}
        to="/questions"
        rows={requests.items.map(({ id, question, createdAt }) => (
          <Work name={<a href={at(`/questions/${id}`)}>{question}</a>}>
            <Time iso={createdAt} />
          </Work>
        ))}
      />
      <Group
        title={say.topics.today(format.number(topics.total))}
        to="/questions/unanswered"
        rows={topics.items.map(({ id, title, language, times, askedLast, isGrowing }) => (
          <Work
            name={
              <a href={at(`/questions/unanswered/${id}`)} lang={language}>
                {title}
              </a>
            }
          >
            <Growing is={isGrowing} /> {format.number(times)}× · <Time iso={askedLast} />
          </Work>
        ))}
      />
      <Group
        title={words.drafts(counted(drafts))}
        to="/documents"
        rows={batches.map(({ id, fileName, draftEntries, createdAt }) => (
          <Work name={<a href={at(`/documents/${id}/review`)}>{fileName}</a>}>
            {words.draftsLeft(format.number(draftEntries))} · <Time iso={createdAt} />
          </Work>
        ))}
      />
      <Group
        title={words.failed(counted(failed.total))}
        to="/documents?status=failed"
        rows={failed.items.map(({ id, fileName, updatedAt }) => (
          <Work name={<a href={at(`/documents/${id}`)}>{fileName}</a>}>
            <Time iso={updatedAt} />
          </Work>
        ))}
      />
      <Group
        title={say.system.examination.today(format.number(findings.length))}
        to="/system#examination"
        rows={findings.slice(0, shown).map((check) => (
          <Work name={<CheckLine check={check} />} />
        ))}
      />
      {deadDeliveries === 0 ? null : <h2>{say.checklist.deliveries(counted(deadDeliveries))}</h2>}
    </>
  );
}

const pathOf: Record<SetupStep['name'], string> = {
  domain: '/sites',
  document: '/documents',
  review: '/documents',
  answer: '/try',
  key: '/sites',
  seen: '/sites',
  person: '/people',
  messages: '/webhooks',
  backup: '/system/backups',
};

/** The steps that a new installation still needs. Each step leads to its page, where there is one. */
function Checklist({ steps }: { steps: SetupStep[] }) {
  const { say, format, signedIn, at } = useShown();
  const words = say.checklist;
  const groups = signedIn === undefined ? [] : navigation(signedIn.user.role);
  const pages = groups.flatMap(({ links }) => links.map(({ path }) => path));
  const isOpen = (path: string) => pages.some((one) => path === one || path.startsWith(`${one}/`));
  const done = steps.filter((step) => step.done).length;
  return (
    <section class="panel checklist">
      <div class="head">
        <h2>{words.title}</h2>
        <Form action="hideChecklist">
          <button class="quiet">{words.hide}</button>
        </Form>
      </div>
      <p class="bar">
        <progress max={steps.length} value={done} aria-label={words.title} />
        {words.progress(format.number(done), format.number(steps.length))}
      </p>
      <ol>
        {steps.map(({ name, done }) => {
          const [title, hint] = words.steps[name];
          const path = pathOf[name];
          return (
            <li key={name}>
              <Badge {...(done ? { tone: 'good' } : {})} text={done ? words.done : words.open} />
              <span>
                {isOpen(path) ? <a href={at(path)}>{title}</a> : title}
                {done ? null : <span class="hint"> {hint}</span>}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
