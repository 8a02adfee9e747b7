import type { ExplainedEntries } from '../../answers/explain-entries.js';
import { visibilities } from '../../platform/actor.js';
import type { ShownRequest } from '../../requests/read-requests.js';
import { DomainField } from '../layout/domain-field.js';
import { Checkbox, Choice, Field, Form, TextArea } from '../layout/form.js';
import { Markdown } from '../layout/markdown.js';
import { useShown } from '../layout/shown.js';
import { TryLink } from '../layout/try-link.js';
import { Time } from '../layout/time.js';
import { Asker, StatusBadge } from './request-parts.js';

interface QuestionProps {
  request: ShownRequest;
  found: ExplainedEntries | undefined;
  /** The hosts of the organization's domains. */
  hosts: string[];
}

/** A question, who asked it, what the knowledge has that is near, and the form for the answer. */
export function Question({ request, found, hosts }: QuestionProps) {
  const { say, at } = useShown();
  return (
    <>
      <p class="above">
        <a href={at('/questions')}>{say.questions.title}</a>
      </p>
      <h1>{request.question}</h1>
      <Facts request={request} />
      <div class="beside">
        <div>
          <Answer request={request} hosts={hosts} />
          <Moves request={request} />
        </div>
        <Nearest request={request} found={found} />
      </div>
    </>
  );
}

function Facts({ request }: { request: ShownRequest }) {
  const { say } = useShown();
  const words = say.questions;
  return (
    <dl class="facts">
      <dt>{say.labels.state}</dt>
      <dd>
        <StatusBadge status={request.status} />
      </dd>
      <dt>{words.askedBy}</dt>
      <dd>
        <Asker requester={request.requester} />
        {request.requesterEmail === null ? null : `, ${request.requesterEmail}`}
      </dd>
      <dt>{words.asked}</dt>
      <dd>
        <Time iso={request.createdAt} />
      </dd>
      {request.url === null ? null : (
        <>
          <dt>{words.page}</dt>
          <dd>
            <OutsideLink url={request.url} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** A page of a visitor is untrusted: only web addresses become links, and they learn nothing of this page. */
function OutsideLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <>{url}</>;
  return (
    <a href={url} rel="noopener noreferrer nofollow" target="_blank">
      {url}
    </a>
  );
}

function Answer({ request, hosts }: Pick<QuestionProps, 'request' | 'hosts'>) {
  const { say, at } = useShown();
  const words = say.questions;
  const of = 'answer';
  const isResolved = request.status === 'resolved';
  return (
    <section>
      <h2>{say.labels.answer}</h2>
      {request.entryUuid === null ? null : (
        <p class="hint">
          {words.isEntry} <a href={at(`/knowledge/${request.entryUuid}`)}>{words.entry}</a>
        </p>
      )}
      <Form action={of}>
        <TextArea
          of={of}
          name="response"
          label={words.response}
          hint={words.responseHint}
          value={request.response ?? ''}
          rows={10}
          required
        />
        <details class="more" open={request.entryUuid !== null}>
          <summary>{words.publishAs}</summary>
          <Checkbox of={of} name="publish" label={words.publish} checked={false} />
          <Field of={of} name="title" label={words.title2} hint={words.titleHint} />
          <DomainField of={of} hosts={hosts} label={say.labels.domain} hint={words.domainHint} />
          <Field of={of} name="url_pattern" label={words.pattern} hint={words.patternHint} />
          <Choice
            of={of}
            name="visibility"
            label={say.labels.tier}
            value=""
            options={[
              ['', say.labels.asSite],
              ...visibilities.map((tier) => [tier, say.tiers[tier]] as const),
            ]}
          />
        </details>
        <p class="buttons">
          <button class="main">{isResolved ? words.answerAgain : words.send}</button>
          {isResolved ? null : (
            <button name="do" value="saveDraft">
              {say.labels.saveDraft}
            </button>
          )}
        </p>
      </Form>
    </section>
  );
}

function Moves({ request: { status } }: { request: ShownRequest }) {
  const { say } = useShown();
  const words = say.questions.moves;
  const moves: [target: 'open' | 'in_progress' | 'dismissed', text: string][] =
    status === 'open'
      ? [
          ['in_progress', words.take],
          ['dismissed', words.dismiss],
        ]
      : status === 'in_progress'
        ? [
            ['open', words.giveBack],
            ['dismissed', words.dismiss],
          ]
        : [['open', words.reopen]];
  return (
    <Form action="move">
      <p class="buttons">
        {moves.map(([target, text]) => (
          <button key={target} class="quiet" name="status" value={target}>
            {text}
          </button>
        ))}
      </p>
    </Form>
  );
}

/** The highest tier that the person who asked surely sees. */
function tierOf({ requester }: ShownRequest) {
  return requester === null || requester.kind === 'visitor' ? 'public' : 'authenticated';
}

function Nearest({ request, found }: Omit<QuestionProps, 'hosts'>) {
  const { say, at, format } = useShown();
  const words = say.questions.nearest;
  return (
    <section>
      <h2>{words.title}</h2>
      <p>
        <TryLink question={request.question} url={request.url} tier={tierOf(request)} />
      </p>
      {found === undefined ? <p class="hint">{words.noPage}</p> : null}
      {found?.answered === true ? <p class="hint">{words.answered}</p> : null}
      {found?.found.length === 0 ? <p class="nothing">{words.nothing}</p> : null}
      <ol class="nearest">
        {found?.found.map(({ entry, passage }) => (
          <li key={passage.id}>
            <a href={at(`/knowledge/${entry.uuid}`)}>{entry.title}</a>{' '}
            <span class="hint">
              {passage.relevant
                ? words.used
                : passage.likelihood === null
                  ? words.outranked
                  : words.likelihood(format.share(passage.likelihood))}
            </span>
            <blockquote>
              <Markdown text={passage.body} language={entry.language} level={4} />
            </blockquote>
          </li>
        ))}
      </ol>
    </section>
  );
}
