import { findAnswer } from '../conversations/answering/find-answer.js';
import { askedPage } from '../conversations/store/page-context.js';
import { presentStoredReply } from '../conversations/answering/present-reply.js';
import { startAnswer } from '../conversations/answering/running-answers.js';
import type { Notification } from '../notifications/notification.js';
import { nameOf } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError, codeOf, isRefusal, shuttingDown } from '../platform/errors.js';
import { addressKey } from '../platform/http/client-address.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import { appOfOrigin } from '../tenancy/app-of-origin.js';
import { claimFinder, type FindClaim } from '../tenancy/find-site.js';
import { createSocketAnswers, errorFrame, messagesAtOnce } from './socket-answers.js';
import { createFrameQueue } from './frame-queue.js';
import { type NotificationWatch, presentNews } from './watch-notifications.js';
import {
  authenticateWidget,
  type WidgetActor,
  type WidgetCredentials,
} from './authenticate-widget.js';
import { checkOrigin, requireOriginOwner, requireOrigin } from './check-origin.js';
import { closeCodes, type ClientFrame, type ServerFrame } from '../chat/protocol.js';
import { messageLength } from './read-frame.js';
import { visitorTokenOf } from './visitor-token.js';

/** A session's view of its connection. */
export interface Connection {
  address: string;
  origin: string;
  limits: RequestLimits;
  /** Resolves when more may be sent. */
  send(frame: ServerFrame): Promise<void>;
  close(code: number, reason: string): void;
  /** Takes one of the app's places for connections; returns false when none is free. */
  occupy(appId: number): boolean;
  /** As in NotificationWatch. */
  follow: NotificationWatch['follow'];
}

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

interface Known {
  actor: WidgetActor;
  credentials: WidgetCredentials;
}

/** One client of the widget on one connection: its person, and the answers that it waits for. */
export function openSession(app: App, connection: Connection): Session {
  const { limits, address } = connection;
  const answers = createSocketAnswers((frame) => connection.send(frame));
  let known: Known | undefined;
  let state: 'open' | 'finishing' | 'ended' = 'open';
  let unfollow: () => void = () => undefined;

  async function hello(given: WidgetCredentials): Promise<void> {
    limits.countFrame(address, undefined, undefined);
    try {
      const actor = await authenticateWidget(app, given);
      await checkOrigin(app, connection.origin, actor.appId);
      if (known?.actor.appId !== actor.appId && !connection.occupy(actor.appId)) {
        throw new AppError('rate_limited', 'Too many connections of this app. Try again later.');
      }
      const isOther = known === undefined || !isSame(known.actor, actor);
      // Somebody has signed in or out on the page: what the one before asked is not read to the next.
      if (known !== undefined && isOther) await answers.leave();
      if (isOther) await followNotifications(actor);
      const token = await visitorTokenOf(app, actor);
      // From now on the visitor is who it was told to be.
      known = { actor, credentials: { ...given, ...token } };
      await connection.send({
        ...{ type: 'welcome', identity: actor.kind, ...token },
        limits: { messageLength, messagesAtOnce },
      });
    } catch (error) {
      if (isRefusal(error)) {
        known = undefined;
        unfollow();
      }
      await refuse(error, undefined);
      close(closeCodeOf(error), 'the hello was refused');
    }
  }

  /** Begins before the welcome: whoever asks for the list after it misses nothing. */
  async function followNotifications(actor: WidgetActor): Promise<void> {
    unfollow();
    const end = await connection.follow(actor, (notification) => {
      void tell(actor, notification);
    });
    if (state === 'ended') end();
    else unfollow = end;
  }

  /** Whoever has lost the right to ask is told nothing more either. */
  async function tell(actor: WidgetActor, notification: Notification): Promise<void> {
    try {
      if (!isSame(await identify(), actor)) return;
      const frame = { type: 'notification', notification: presentNews(notification) } as const;
      await connection.send(frame);
    } catch (error) {
      if (!isRefusal(error)) app.log.error({ err: error }, 'a notification was not passed on');
    }
  }

  function requireKnown(): Known {
    if (known === undefined) throw new AppError('unauthenticated', 'Say hello first.');
    return known;
  }

  /** Looked at with each question: a key may have been revoked, a token expired, a domain taken away. */
  async function identify(claimOn = claimFinder(app)): Promise<WidgetActor> {
    const { credentials } = requireKnown();
    // Both at once: the first words of an answer wait for them.
    const owner = appOfOrigin(app, requireOrigin(connection.origin), claimOn);
    owner.catch(() => undefined);
    const actor = await authenticateWidget(app, credentials);
    requireOriginOwner(await owner, actor.appId, connection.origin);
    return actor;
  }

  /** Whether whoever said hello may still ask, and another question. */
  async function admit(actor: WidgetActor, claimOn: FindClaim): Promise<void> {
    const present = await identify(claimOn);
    // No key or token changes whose it is; should one ever, nothing is asked in the name of the one before.
    if (!isSame(present, actor)) throw new AppError('unauthenticated', 'Say hello again.');
    limits.countFrame(address, actor, 'message');
  }

  async function answer(frame: Extract<ClientFrame, { type: 'message' | 'resume' }>) {
    const { id } = frame;
    answers.reserve(id);
    try {
      if (state === 'finishing') throw shuttingDown();
      if (frame.type === 'resume') {
        const actor = await identify();
        limits.countFrame(address, actor, undefined);
        await resume(actor, frame);
        return;
      }
      const { actor } = requireKnown();
      const claimOn = claimFinder(app);
      const started = await startAnswer(app, actor, {
        // With what else is looked at before a question may be asked: the first words of its answer wait for all of it.
        admitted: admit(actor, claimOn),
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

  /** Only whose question it is may hear its answer, whoever else knows the number of it. */
  async function resume(
    actor: WidgetActor,
    frame: Extract<ClientFrame, { type: 'resume' }>,
  ): Promise<void> {
    const { id, after = 0 } = frame;
    const { conversationId, questionId: messageId } = frame;
    const found = await findAnswer(app, actor, { conversationId, messageId }, 'widget');
    if (found.running !== undefined) {
      answers.pump(id, found.running, after);
      return;
    }
    const reply = presentStoredReply(found.stored);
    await connection.send({ type: 'done', id, event: after + 1, ...reply });
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

  async function refuse(error: unknown, id: string | undefined): Promise<void> {
    if (!isRefusal(error)) app.log.error({ err: error }, 'a frame of the widget failed');
    await connection.send(errorFrame(error, id));
  }

  /** Nothing that has come in already is looked at any more. */
  function close(code: number, reason: string): void {
    state = 'ended';
    connection.close(code, reason);
  }

  const frames = createFrameQueue({
    isKnown: () => known !== undefined,
    isOver: () => state === 'ended',
    ...{ handle, refuse, close },
  });
  return {
    receive: (bytes) => frames.receive(bytes),
    end() {
      state = 'ended';
      unfollow();
      answers.end();
    },
    async finish() {
      if (state === 'open') state = 'finishing';
      await frames.idle();
      await answers.sent();
    },
    isKnown: () => known !== undefined,
  };
}

function isSame(one: WidgetActor, other: WidgetActor): boolean {
  return one.appId === other.appId && nameOf(one) === nameOf(other);
}

function closeCodeOf(error: unknown): number {
  const code = codeOf(error);
  if (code === 'rate_limited') return closeCodes.tooManySockets;
  return code === 'origin_not_allowed' ? closeCodes.originNotAllowed : closeCodes.unauthenticated;
}
