import { findAnswer } from '../conversations/answering/find-answer.js';
import { askedPage } from '../conversations/store/page-context.js';
import { presentStoredReply } from '../conversations/answering/present-reply.js';
import { startAnswer } from '../conversations/answering/running-answers.js';
import type { Notification } from '../notifications/notification.js';
import type { App } from '../platform/app.js';
import { codeOf, errorCodes, isRefusal, shuttingDown } from '../platform/errors.js';
import { addressKey } from '../platform/http/client-address.js';
import { claimFinder } from '../tenancy/find-site.js';
import {
  createSocketAnswers,
  errorFrame,
  messagesAtOnce,
  type SocketAnswers,
} from './socket-answers.js';
import { createFrameQueue } from './frame-queue.js';
import { presentNews } from './watch-notifications.js';
import type { WidgetActor, WidgetCredentials } from './authenticate-widget.js';
import { createClient, isSame, type Connection, type SocketClient } from './socket-client.js';
import { closeCodes, type ClientFrame } from '../chat/protocol.js';
import { messageLength } from './read-frame.js';
import { visitorTokenOf } from './visitor-token.js';

export interface Session {
  /** A text frame came in. */
  receive(bytes: Buffer): void;
  /** The connection has ended. Answers continue for a while, so that they can be resumed. */
  end(): void;
  /** Accepts no more questions. Resolves when the running answers have been sent. */
  finish(): Promise<void>;
  /** True when a hello was accepted. */
  isKnown(): boolean;
}

/** One client of the widget on one connection: its person, and the answers that it waits for. */
export function openSession(app: App, connection: Connection): Session {
  const { limits, address } = connection;
  const answers = createSocketAnswers((frame) => connection.send(frame), lose);
  const client = createClient(app, connection);
  const news = createNews(app, connection, client);
  let state: 'open' | 'finishing' | 'ended' = 'open';

  async function hello(given: WidgetCredentials): Promise<void> {
    await limits.countFrame(address, undefined, undefined);
    try {
      const actor = await client.check(given);
      const isOther = !client.isKnown() || !isSame(client.requireActor(), actor);
      // The page has signed somebody in or out: the previous person's answers must not reach the
      // next one.
      if (client.isKnown() && isOther) await answers.leave();
      if (isOther) await news.follow(actor);
      const token = await visitorTokenOf(app, actor);
      // The visitor keeps the id of the token that this reply contains.
      client.become(actor, { ...given, ...token });
      await connection.send({
        type: 'welcome',
        identity: actor.kind,
        ...token,
        limits: { messageLength, messagesAtOnce },
      });
    } catch (thrown) {
      const error = app.db.dialect.troubleOf(thrown) ?? thrown;
      if (isRefusal(error)) {
        client.forget();
        news.end();
      }
      await refuse(error, undefined);
      close(closeCodeOf(error), 'the hello was refused');
    }
  }

  async function answer(frame: Extract<ClientFrame, { type: 'message' | 'resume' }>) {
    const { id } = frame;
    answers.reserve(id);
    try {
      if (state === 'finishing') throw shuttingDown();
      if (frame.type === 'resume') {
        const actor = await client.identify();
        await limits.countFrame(address, actor, undefined);
        await resume(app, actor, frame, answers, (done) => connection.send(done)).catch(
          (error: unknown) => lose(error, id),
        );
        return;
      }
      const actor = client.requireActor();
      const claimOn = claimFinder(app);
      const started = await startAnswer(app, actor, {
        // Runs in parallel with the other checks before a question: the first words of its answer
        // wait for all of them.
        admitted: client.admit(actor, claimOn),
        claimOn,
        message: frame.message,
        page: askedPage(frame.context),
        conversationId: frame.conversationId,
        channel: 'widget',
        from: addressKey(address),
      });
      answers.pump(id, started, 0);
    } finally {
      answers.release(id);
    }
  }

  async function handle(frame: ClientFrame): Promise<void> {
    switch (frame.type) {
      case 'hello': {
        const { apiKey, userToken, visitorToken } = frame;
        return hello({ apiKey, userToken, visitorToken });
      }
      case 'ping':
        return connection.send({ type: 'pong' });
      case 'cancel':
        answers.cancel(frame.id);
        return;
      case 'message':
      case 'resume':
        return answer(frame);
    }
  }

  async function refuse(thrown: unknown, id: string | undefined): Promise<void> {
    const error = app.db.dialect.troubleOf(thrown) ?? thrown;
    if (!isRefusal(error)) app.log.error({ err: error }, 'a frame of the widget failed');
    await connection.send(errorFrame(error, id));
  }

  /** An answer goes on without a database that answers. So its reader connects again, and resumes it. */
  async function lose(error: unknown, id: string): Promise<void> {
    const code = codeOf(app.db.dialect.troubleOf(error) ?? error);
    if (code !== 'database_busy') return refuse(error, id);
    close(closeCodes.tryAgainLater, 'the database does not answer');
  }

  /** Ends the session. Received frames that wait are dropped. */
  function close(code: number, reason: string): void {
    state = 'ended';
    connection.close(code, reason);
  }

  const frames = createFrameQueue(app, {
    sender: addressKey(address),
    isKnown: client.isKnown,
    isOver: () => state === 'ended',
    handle,
    refuse,
    close,
  });
  return {
    receive: (bytes) => frames.receive(bytes),
    end() {
      state = 'ended';
      news.end();
      answers.end();
    },
    async finish() {
      if (state === 'open') state = 'finishing';
      await frames.idle();
      await answers.sent();
    },
    isKnown: client.isKnown,
  };
}

/** Continues an answer. Only the question's asker may read it, even if others know its id. */
async function resume(
  app: App,
  actor: WidgetActor,
  frame: Extract<ClientFrame, { type: 'resume' }>,
  answers: SocketAnswers,
  send: Connection['send'],
): Promise<void> {
  const { id, after = 0 } = frame;
  const { conversationId, questionId: messageId } = frame;
  const found = await findAnswer(app, actor, { conversationId, messageId }, 'widget');
  if (found.running !== undefined) {
    answers.pump(id, found.running, after);
    return;
  }
  const reply = presentStoredReply(found.stored);
  await send({ type: 'done', id, event: after + 1, ...reply });
}

/** Sends the notifications of the person who has said hello. */
function createNews(app: App, connection: Connection, client: SocketClient) {
  let isOver = false;
  let unfollow: () => void = () => undefined;

  /** Sends nothing to a person who has lost the right to ask. */
  async function tell(actor: WidgetActor, notification: Notification): Promise<void> {
    try {
      if (!isSame(await client.identify(), actor)) return;
      const frame = { type: 'notification', notification: presentNews(notification) } as const;
      await connection.send(frame);
    } catch (error) {
      if (!isRefusal(error)) app.log.error({ err: error }, 'a notification was not passed on');
    }
  }

  return {
    /** Must begin before the welcome, so that a client who then reads the list misses nothing. */
    async follow(actor: WidgetActor): Promise<void> {
      unfollow();
      const end = await connection.follow(actor, (notification) => {
        void tell(actor, notification);
      });
      if (isOver) end();
      else unfollow = end;
    },
    end() {
      isOver = true;
      unfollow();
    },
  };
}

function closeCodeOf(error: unknown): number {
  const code = codeOf(error);
  if (errorCodes[code].status >= 500) return closeCodes.tryAgainLater;
  if (code === 'rate_limited') return closeCodes.tooManySockets;
  return code === 'origin_not_allowed' ? closeCodes.originNotAllowed : closeCodes.unauthenticated;
}
