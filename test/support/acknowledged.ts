import { setTimeout as wait } from 'node:timers/promises';
import type { ServerFrame } from '../../src/chat/protocol.js';
import type { Cluster } from './cluster.js';
import { sampleManual } from './sample-manual.js';
import { welcomeWidget, type WidgetClient } from './widget-client.js';

/** What servers acknowledged to the visitors. */
interface Acknowledged {
  batches: string[];
  /** Questions that were taken; `isAnswered` once their answer came to its end. */
  questions: Question[];
  requests: { question: string; id: number; title: string; isResolved: boolean }[];
}

interface Question {
  question: string;
  conversationId: string;
  id?: number;
  isAnswered: boolean;
}

export interface Load {
  acknowledged: Acknowledged;
  /** Asks at once, beside the visitors. */
  ask(times: number): Promise<void>;
  /** When something was acknowledged, in milliseconds of `performance.now()`. */
  storedAt: number[];
  stop(): Promise<void>;
}

/** Longer than any wait that the settings of the cluster allow: who waits so long hangs. */
const hangMs = 45_000;
/** Errors of an answer after which a visitor asks again. */
const passing = ['database_busy', 'interrupted', 'shutting_down'];
const page = { url: 'https://docs.acme.example/', title: 'T' };
const kinds = ['upload', 'request', 'ask', 'talk', 'ask', 'talk', 'ask', 'talk'] as const;

/** Questions differ by what no search sees, so that each has an answer that a model writes. */
const questionOf = (number: number) =>
  `Where is the quokka${number.toString(2).replaceAll('0', '!').replaceAll('1', '?')}`;

/** Visitors who upload files, file and resolve requests, and ask by HTTP and by the widget's connection, until `stop`. */
export function startLoad(
  cluster: Cluster,
  { visitors, pauseMs }: { visitors: number; pauseMs: number },
): Load {
  const acknowledged: Acknowledged = { batches: [], questions: [], requests: [] };
  let number = 0;
  let isLoaded = true;
  const storedAt: number[] = [];

  /** The answer of a server, or undefined where the client was told to try again, or lost its server. */
  const call = async <T>(
    method: string,
    path: string,
    sent: object | FormData,
  ): Promise<T | undefined> => {
    const { url, isLost } = cluster.next();
    const isForm = sent instanceof FormData;
    try {
      const reply = await fetch(`${url}/api/${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${cluster.token}`,
          ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        },
        body: isForm ? sent : JSON.stringify(sent),
        signal: AbortSignal.timeout(hangMs),
      });
      const text = await reply.text();
      if (reply.ok) {
        storedAt.push(performance.now());
        return JSON.parse(text) as T;
      }
      const id = /"request_id":"([^"]+)"/.exec(text)?.[1];
      // Without an id it is the load balancer that answers: no server is ready, or the server was lost.
      const isRetryable =
        id === undefined
          ? isLost() && [502, 503, 504].includes(reply.status)
          : reply.status === 503 && reply.headers.has('Retry-After');
      if (!isRetryable) {
        const said = `${method} ${path}: ${reply.status} ${text}`;
        cluster.wrong.push([said, ...cluster.logOf(id ?? '\n')].join('\n'));
      }
    } catch (error) {
      const isHung = (error as Error).name === 'TimeoutError';
      if (isHung || !isLost()) {
        const what = `${method} ${path} until ${new Date().toISOString()}`;
        cluster.wrong.push(`${what}: ${String(error)} ${String((error as Error).cause)}`);
      }
    }
    // As a client does that was asked to wait.
    await wait(100);
    return undefined;
  };

  const upload = async () => {
    const own = ++number;
    const body = new FormData();
    const bytes = new Uint8Array(await sampleManual(1, `pump${own}`));
    body.set('file', new Blob([bytes], { type: 'application/pdf' }), `m-${own}.pdf`);
    const batch = await call<{ batch_id: string }>('POST', 'knowledge/ingest-pdf', body);
    if (batch !== undefined) acknowledged.batches.push(batch.batch_id);
    // Reading a file takes longer than the other steps.
    await wait(200 + 4 * pauseMs);
  };
  const ask = async () => {
    const message = questionOf(++number);
    const sent = { message, context: page };
    const answer = await call<{ conversationId: string }>('POST', 'conversations/message', sent);
    if (answer === undefined) return;
    const { conversationId } = answer;
    acknowledged.questions.push({ question: message, conversationId, isAnswered: true });
  };
  const request = async () => {
    const own = ++number;
    const question = `Can I pay in ${own} instalments?`;
    const sent = { question, url: 'https://docs.acme.example/a' };
    const filed = await call<{ id: number }>('POST', 'knowledge/requests', sent);
    if (filed === undefined) return;
    const title = `Instalments ${own}`;
    const one = { question, id: filed.id, title, isResolved: false };
    acknowledged.requests.push(one);
    const answer = { status: 'resolved', response: 'Yes, you can.', publish: true, title };
    one.isResolved = (await call('PUT', `knowledge/requests/${filed.id}`, answer)) !== undefined;
  };
  /** Asks over one connection until that is lost. The next one resumes its answer. */
  const talk = async (visitor: Visitor) => {
    const { url, isLost } = cluster.next();
    const { visitorToken } = visitor;
    const credentials = { apiKey: cluster.key, ...(visitorToken === '' ? {} : { visitorToken }) };
    try {
      const origin = new URL(page.url).origin;
      const client = await inTime(welcomeWidget(url, origin, credentials));
      if (client.visitorToken !== '') visitor.visitorToken = client.visitorToken;
      while (isLoaded) {
        await inTime(discuss(client, visitor)).finally(() => {
          // A question that was not acknowledged is asked anew.
          if (visitor.open?.questionId === undefined) visitor.open = undefined;
        });
        await wait(pauseMs * (0.5 + Math.random()));
      }
      await client.close();
    } catch (error) {
      const said = String(error);
      const isRetryable = /: 50[234] |the connection ended|ECONN|hang up/.test(said);
      if (said.includes(hung) || !(isLost() || isRetryable)) cluster.wrong.push(`talking: ${said}`);
      await wait(100);
    }
  };
  const discuss = async (client: WidgetClient, visitor: Visitor) => {
    const id = `q${++number}`;
    visitor.open ??= { message: questionOf(number) };
    const { open } = visitor;
    const isEnd = ({ type }: ServerFrame) => type === 'done' || type === 'error';
    const frameWhere = (fits: (frame: ServerFrame) => boolean) =>
      client.until((frame) => 'id' in frame && frame.id === id && fits(frame));
    if (open.questionId === undefined) {
      client.send({ type: 'message', id, message: open.message, context: page });
      const first = await frameWhere((frame) => frame.type === 'started' || isEnd(frame));
      if (first.type === 'started') {
        const { conversationId, questionId } = first;
        Object.assign(open, { conversationId, questionId });
        storedAt.push(performance.now());
        const question = { question: open.message, conversationId, id: questionId };
        acknowledged.questions.push((open.taken = { ...question, isAnswered: false }));
      }
    } else {
      const { conversationId = '', questionId } = open;
      client.send({ type: 'resume', id, conversationId, questionId });
    }
    const last = await frameWhere(isEnd);
    if (last.type === 'done' && open.taken !== undefined) open.taken.isAnswered = true;
    if (last.type === 'error' && !passing.includes(last.code)) {
      cluster.wrong.push(`talking: ${JSON.stringify(last)}`);
    }
    // An answer that could not be looked for is still there.
    if (last.type !== 'error' || last.code !== 'database_busy') visitor.open = undefined;
    else await wait(100);
  };

  const repeated = async (step: () => Promise<void>) => {
    while (isLoaded) {
      await step();
      await wait(pauseMs * (0.5 + Math.random()));
    }
  };
  const steps = { upload, request, ask };
  const load = Promise.all(
    Array.from({ length: visitors }, (_, index) => {
      const kind = kinds[index % kinds.length] as (typeof kinds)[number];
      const visitor = { visitorToken: '' };
      return repeated(kind === 'talk' ? () => talk(visitor) : steps[kind]);
    }),
  );
  return {
    ...{ acknowledged, storedAt },
    async ask(times) {
      await Promise.all(Array.from({ length: times }, ask));
    },
    async stop() {
      isLoaded = false;
      await load;
    },
  };
}

interface Visitor {
  visitorToken: string;
  /** The question without an end, and its ids once it was acknowledged. */
  open?:
    | { message: string; conversationId?: string; questionId?: number; taken?: Question }
    | undefined;
}

const hung = 'nothing happened';

async function inTime<T>(work: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const late = wait(hangMs, undefined, waiting).then(() => Promise.reject(new Error(hung)));
  try {
    return await Promise.race([work, late]);
  } finally {
    waiting.abort();
    late.catch(() => undefined);
  }
}

/** What was acknowledged and is missing, unfinished or there twice, and rights that are wider, in sentences. */
export async function findLosses(
  cluster: Cluster,
  { batches, questions, requests }: Acknowledged,
): Promise<string[]> {
  const { read } = cluster.db;
  const losses: string[] = [];
  const expect = (what: string, found: unknown, expected: unknown) => {
    const [is, should] = [found, expected].map((value) => JSON.stringify(value));
    if (is !== should) losses.push(`${what}: ${is} instead of ${should}`);
  };
  const own = () => read('ingestion_batches').whereIn('id', batches);
  const settle = async () => {
    const open = () => own().whereIn('status', ['pending', 'processing']);
    for (let tries = 0; tries < 1200 && (await open()).length > 0; tries++) await wait(100);
  };
  await settle();
  // A file whose worker was killed three times is kept for a person to decide.
  const given = own().whereLike('error_message', 'The worker stopped 3 times%');
  for (const id of (await given.pluck('id')) as string[])
    await cluster.passes(['batches', 'retry', id]);
  await settle();
  for (const id of batches) {
    const states = await read('ingestion_batches').where({ id }).select('status', 'error_message');
    expect(`upload ${id}`, states, [{ status: 'completed', error_message: null }]);
    const entries = await read('knowledge_entries').where({ batch_id: id }).pluck('id');
    expect(`entries of upload ${id}`, entries.length, 1);
  }
  for (const { question, conversationId, isAnswered, id } of questions) {
    const asked: { id: number; conversation_id: string }[] = await read('messages')
      .where({ role: 'user', content: question })
      .select('id', 'conversation_id');
    const places = asked.map(({ conversation_id: place }) => place);
    expect(question, places, [conversationId]);
    if (id !== undefined) expect(question, asked[0]?.id, id);
    const answers = await read('messages')
      .where({ question_id: asked[0]?.id ?? 0 })
      .pluck('role');
    if (isAnswered) expect(`answer to ${question}`, answers, ['assistant']);
  }
  for (const { question, id, title, isResolved } of requests) {
    expect(question, await read('knowledge_requests').where({ question }).pluck('id'), [id]);
    if (!isResolved) continue;
    const entries = await read('knowledge_entries').where({ title }).pluck('id');
    const made = await read('knowledge_requests')
      .where({ id, status: 'resolved' })
      .pluck('knowledge_entry_id');
    expect(`entry of ${question}`, entries, made);
    expect(`entries of ${question}`, entries.length, 1);
  }
  // Of what was not acknowledged too.
  for (const [what, table, key] of [
    ['questions', read('messages').where('role', 'user'), 'content'],
    ['answers to one question', read('messages').whereNotNull('question_id'), 'question_id'],
    ['entries of one title', read('knowledge_entries').whereLike('title', 'Inst%'), 'title'],
    ['entries of one upload', read('knowledge_entries').whereNotNull('batch_id'), 'batch_id'],
  ] as const) {
    const twice = await table.groupBy(key).havingRaw('count(*) > 1').pluck(key);
    expect(`${what} that are there twice`, twice, []);
  }
  const wider = read('passages as p')
    .join('knowledge_entries as e', 'e.id', 'p.entry_id')
    .whereRaw(`p.visibility <> e.visibility or p.published <> (e.status = 'published')`)
    .orWhereRaw('p.app_id is distinct from e.app_id or p.organization_id <> e.organization_id');
  expect('passages with other rights than their entry', await wider.pluck('p.id'), []);
  // Nothing else that it looks for is wrong, either.
  const { checks } = JSON.parse(await cluster.passes(['doctor', '--quick', '--json'])) as {
    checks: { name: string; status: string; finding: string }[];
  };
  const failed = checks.filter(({ status }) => status === 'failed');
  expect('doctor', failed, []);
  return losses;
}
