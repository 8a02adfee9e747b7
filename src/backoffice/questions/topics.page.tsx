import { z } from 'zod';
import { askTopicAgain, type AskedAgain } from '../../insights/ask-topic-again.js';
import { settleTopic } from '../../insights/settle-topic.js';
import {
  getTopic,
  listTopics,
  recentDays,
  topicDays,
  type Topic,
  type WholeTopic,
} from '../../insights/topics.js';
import type { Paged } from '../../platform/db/select-page.js';
import { goneSignal } from '../../platform/http/request-end.js';
import { parseUrl } from '../../platform/text/parse-url.js';
import { fileRequest } from '../../requests/file-request.js';
import { choiceOf, Filters, Nothing } from '../layout/filters.js';
import { Choice, Form } from '../layout/form.js';
import { Growing } from '../layout/growing.js';
import { pageNumber, Pager, queryText, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { Work } from '../layout/work.js';
import { action, page } from '../page.js';

const section = '/questions';
const list = '/questions/unanswered';
const topicParams = z.object({ topic: z.coerce.number().int().min(1) });
/** Of a topic, the latest questions that the page shows. */
const questionsShown = 50;

const topicsPage = page({
  path: list,
  access: 'requests.resolve',
  query: z.object({ state: choiceOf(['left_out']), page: pageNumber }),
  async show(app, { actor, query, say }) {
    const topics = await listTopics(app, actor, {
      page: query.page,
      limit: rowsPerPage,
      leftOut: query.state === 'left_out',
    });
    return {
      title: say.topics.title,
      section,
      list: { page: query.page, total: topics.total },
      body: <Topics topics={topics} {...query} />,
    };
  },
});

const topicPage = page({
  path: `${list}/:topic`,
  access: 'requests.resolve',
  params: topicParams,
  async show(app, { actor, params }) {
    const topic = await getTopic(app, actor, params.topic);
    return { title: topic.title, section, body: <TopicPage topic={topic} /> };
  },
  actions: {
    settle: action({
      params: topicParams,
      form: z.object({ left_out: z.enum(['on', 'off']) }),
      async act(app, { actor, params, form }) {
        const leftOut = form.leftOut === 'on';
        await settleTopic(app, actor, params.topic, { leftOut });
        const done = leftOut ? 'topicLeftOut' : 'topicBack';
        return { to: `${list}/${params.topic}`, done };
      },
    }),
    request: action({
      params: topicParams,
      async act(app, { actor, params }) {
        const { title, questions } = await getTopic(app, actor, params.topic);
        const [latest] = questions;
        const { id } = await fileRequest(app, actor, {
          question: title,
          url: latest?.pageUrl ?? undefined,
          appId: latest?.appId ?? undefined,
        });
        return { to: `/questions/${id}`, done: 'saved' };
      },
    }),
    again: action({
      params: topicParams,
      async act(app, { actor, params, say, ctx }) {
        const gone = goneSignal(ctx, app.stopping);
        const result = await askTopicAgain(app, actor, params.topic, gone);
        return { title: say.topics.again, section, body: <AskedAgainView {...result} /> };
      },
    }),
  },
});

/** Topics stand before the requests, whose path has a parameter that would match theirs. */
export const topicPages = [topicsPage, topicPage];

interface TopicsProps {
  topics: Paged<Topic>;
  state: string;
  page: number;
}

function Topics({ topics, state, page }: TopicsProps) {
  const { say, at, format } = useShown();
  const words = say.topics;
  return (
    <>
      <p class="above">
        <a href={at(section)}>{say.questions.title}</a>
      </p>
      <h1>{words.title}</h1>
      <p class="hint">{words.about(topicDays)}</p>
      <Filters active={state !== ''}>
        <Choice
          of="filter"
          name="state"
          label={say.labels.state}
          value={state}
          options={[
            ['', words.waiting],
            ['left_out', words.leftOut],
          ]}
        />
      </Filters>
      {topics.items.length === 0 ? (
        <Nothing active={state !== ''} text={words.none} />
      ) : (
        <Table
          caption={words.title}
          columns={[
            say.labels.question,
            words.times,
            words.lately(recentDays),
            words.people,
            words.last,
          ]}
        >
          {topics.items.map((one) => (
            <Row
              key={one.id}
              name={
                <>
                  <a href={at(`${list}/${one.id}`)} lang={one.language}>
                    {one.title}
                  </a>{' '}
                  <Growing is={one.isGrowing} />
                </>
              }
              cells={[
                format.number(one.times),
                <Lately topic={one} />,
                format.number(one.people),
                <Time iso={one.askedLast} />,
              ]}
            />
          ))}
        </Table>
      )}
      <Pager page={page} total={topics.total} query={{ state }} />
    </>
  );
}

/** How often a topic was asked lately, and before. */
function Lately({ topic: { lately, before } }: { topic: Topic }) {
  const { say, format } = useShown();
  return (
    <span class="whole">
      {format.number(lately)}{' '}
      {before === undefined ? null : <small>{say.topics.before(format.number(before))}</small>}
    </span>
  );
}

function TopicPage({ topic }: { topic: WholeTopic }) {
  const { say, at, format } = useShown();
  const words = say.topics;
  const { questions, times, people, askedLast, isLeftOut } = topic;
  return (
    <>
      <p class="above">
        <a href={at(list)}>{words.title}</a>
      </p>
      <h1 lang={topic.language}>{topic.title}</h1>
      <p class="hint">
        {words.asked(format.number(times), format.number(people))} · {words.lately(recentDays)}:{' '}
        <Lately topic={topic} /> <Growing is={topic.isGrowing} /> · {words.last}:{' '}
        <Time iso={askedLast} />
      </p>
      <p class="buttons">
        <a class="button main" href={at(`/knowledge/new?${entryQuery(topic)}`)}>
          {say.labels.writeEntry}
        </a>
        <a
          class="button"
          href={at(`/knowledge?${queryText({ language: questions[0]?.language })}`)}
        >
          {words.entries}
        </a>
      </p>
      <div class="buttons">
        <Form action="again">
          <button>{words.again}</button>
        </Form>
        <Form action="request">
          <button>{words.request}</button>
        </Form>
        <Form action="settle">
          <input type="hidden" name="left_out" value={isLeftOut ? 'off' : 'on'} />
          <button>{isLeftOut ? words.takeBack : words.leaveOut}</button>
        </Form>
      </div>
      <h2>{words.questions}</h2>
      <QuestionList questions={questions.slice(0, questionsShown)} />
      {times > questionsShown ? (
        <p class="hint">{say.labels.andMore(format.number(times - questionsShown))}</p>
      ) : null}
    </>
  );
}

/** Fills in the form of a new entry, which leads back to the topic. */
function entryQuery({ id, title, questions: [latest] }: WholeTopic): string {
  const domain = parseUrl(latest?.pageUrl ?? '')?.hostname;
  return queryText({ title: title.slice(0, 500), domain, topic: String(id) });
}

function QuestionList({ questions }: Pick<WholeTopic, 'questions'>) {
  const { at } = useShown();
  return (
    <ul class="waiting">
      {questions.map(({ questionId, conversationId, text, language, askedAt }) => (
        <Work
          key={questionId}
          name={
            <a href={at(`/conversations/${conversationId}`)} lang={language}>
              {text}
            </a>
          }
        >
          <Time iso={askedAt} />
        </Work>
      ))}
    </ul>
  );
}

/** The outcome of asking again. It is shown once: the answered questions have left the topic. */
function AskedAgainView({ asked, answered, open }: AskedAgain) {
  const { say, at, format } = useShown();
  const words = say.topics;
  const [next] = open;
  return (
    <>
      <p class="above">
        <a href={at(list)}>{words.title}</a>
      </p>
      <h1>{words.result(format.number(answered), format.number(asked))}</h1>
      <p>{next === undefined ? words.allAnswered : words.stillOpen}</p>
      <QuestionList questions={open} />
      <p class="buttons">
        <a class="button" href={at(next === undefined ? list : `${list}/${next.questionId}`)}>
          {next === undefined ? words.title : words.goOn}
        </a>
      </p>
    </>
  );
}
