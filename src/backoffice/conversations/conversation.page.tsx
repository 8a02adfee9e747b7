import { z } from 'zod';
import { deleteConversation } from '../../conversations/delete-conversation.js';
import { openConversation } from '../../conversations/open-conversation.js';
import type {
  Conversation,
  ListedMessage,
  Making,
} from '../../conversations/store/conversation.js';
import { findSourcePlaces, type SourcePlace } from '../../ingestion/review/find-source-places.js';
import type { Source } from '../../answers/answer.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Badge } from '../layout/badge.js';
import { DeleteForm } from '../layout/delete-form.js';
import { Markdown } from '../layout/markdown.js';
import { pageNumber, Pager, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { SourceLink } from '../layout/source-link.js';
import { TryLink } from '../layout/try-link.js';
import { Time } from '../layout/time.js';
import { action, page } from '../page.js';

const section = '/conversations';
/** A message to begin at, which links from elsewhere name. */
const messageNumber = z.coerce.number().int().min(1).optional().catch(undefined);
const id = z.object({ id: z.string().min(1).max(100) });

export const conversationPage = page({
  path: '/conversations/:id',
  access: 'conversations.read_all',
  params: id,
  query: z.object({ page: pageNumber, message: messageNumber }),
  async show(app, { actor, params, query }) {
    const opened = await openConversation(app, actor, {
      id: params.id,
      page: query.page,
      at: query.message,
      limit: rowsPerPage,
    });
    const { title } = opened.conversation;
    const list = { page: opened.page, total: opened.messages.total };
    const sources = opened.messages.items.flatMap((message) => message.sources);
    const cited = sources.map(({ entryUuid }) => entryUuid);
    const places = await findSourcePlaces(app, actor, cited);
    return { title, section, list, body: <ConversationView {...opened} places={places} /> };
  },
  actions: {
    delete: action({
      params: id,
      form: z.object({ sure: z.literal('on') }),
      async act(app, { actor, params }) {
        await deleteConversation(app, actor, params.id);
        return { to: section, done: 'deleted' };
      },
    }),
  },
});

interface ConversationViewProps {
  conversation: Conversation;
  messages: Paged<ListedMessage>;
  page: number;
  /** Where the sources of the answers stand in their files. */
  places: ReadonlyMap<string, SourcePlace>;
}

function ConversationView({ conversation, messages, page, places }: ConversationViewProps) {
  const { say, at } = useShown();
  const words = say.conversations;
  return (
    <>
      <p class="above">
        <a href={at(section)}>{words.title}</a>
      </p>
      <h1>{conversation.title}</h1>
      <p class="hint">
        {words.channels[conversation.channel]} · <Time iso={conversation.createdAt} /> ·{' '}
        {words.recorded}
      </p>
      <ol class="messages">
        {messages.items.map((message) => (
          <li key={message.id} id={`message-${message.id}`} class={message.role}>
            {message.role === 'user' ? (
              <AskedText message={message} conversation={conversation} />
            ) : (
              <AnswerText message={message} places={places} />
            )}
          </li>
        ))}
      </ol>
      <Pager page={page} total={messages.total} query={{}} />
      <DeleteForm words={words} />
    </>
  );
}

function AskedText({
  message,
  conversation: { endUserId, visitorId },
}: {
  message: ListedMessage;
  conversation: Conversation;
}) {
  const { say } = useShown();
  // What a user sees depends on the role: the same as staff at most.
  const tier = visitorId !== null ? 'public' : endUserId !== null ? 'authenticated' : 'internal';
  return (
    <>
      <p class="hint">
        {say.conversations.asked} · <Time iso={message.createdAt} />
        {message.interrupted ? ` · ${say.conversations.interrupted}` : ''} ·{' '}
        <TryLink question={message.content} url={message.pageUrl} tier={tier} />
      </p>
      <p class="asked" lang={message.language}>
        {message.content}
      </p>
    </>
  );
}

function AnswerText({
  message,
  places,
}: { message: ListedMessage } & Pick<ConversationViewProps, 'places'>) {
  const { say } = useShown();
  const words = say.conversations;
  const { content, language, unsupported, sources, feedback } = message;
  return (
    <>
      <p class="hint">
        {words.assistant} · <Time iso={message.createdAt} />{' '}
        {message.found === false ? <Badge tone="warning" text={say.labels.notFound} /> : null}
        {message.status === 'incomplete' ? <Badge tone="bad" text={words.incomplete} /> : null}
        {feedback === null ? null : (
          <Badge
            tone={feedback.rating === 'up' ? 'good' : 'bad'}
            text={words.ratings[feedback.rating]}
          />
        )}
        {message.made === undefined ? null : <Made made={message.made} />}
      </p>
      <Markdown text={content} language={language} />
      {feedback?.comment ? (
        <p>
          <strong>{words.comment}:</strong> {feedback.comment}
        </p>
      ) : null}
      {unsupported.length === 0 ? null : (
        <>
          <p class="hint">{words.unsupported}</p>
          <ul lang={language}>
            {unsupported.map(({ from, to }) => (
              <li key={from}>
                <mark>{content.slice(from, to)}</mark>
              </li>
            ))}
          </ul>
        </>
      )}
      {sources.length === 0 ? null : <Sources sources={sources} places={places} />}
    </>
  );
}

/** How soon an answer came, and which model wrote it. */
function Made({ made: { firstWordMs, totalMs, model } }: { made: Making }) {
  const { say, format } = useShown();
  const words = say.answers;
  return (
    <span class="made">
      {[
        ...(firstWordMs === null ? [] : [words.firstWord(format.seconds(firstWordMs))]),
        words.inAll(format.seconds(totalMs)),
        ...(model === null ? [] : [model]),
      ].join(', ')}
    </span>
  );
}

function Sources({
  sources,
  places,
}: { sources: readonly Source[] } & Pick<ConversationViewProps, 'places'>) {
  const { say, at } = useShown();
  return (
    <details class="more">
      <summary>{say.conversations.sources(sources.length)}</summary>
      <ol>
        {sources.map((source) => (
          <li key={source.number} value={source.number}>
            <a href={at(`/knowledge/${source.entryUuid}`)}>{source.title}</a>
            <SourceLink place={places.get(source.entryUuid)} />
            {source.changed === true ? (
              <>
                {' '}
                <Badge tone="warning" text={say.conversations.changed} />
              </>
            ) : null}
            <blockquote>{source.excerpt}</blockquote>
          </li>
        ))}
      </ol>
    </details>
  );
}
