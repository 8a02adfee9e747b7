import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { closeCodes, type ClientFrame } from '../chat/protocol.js';
import { readFrame } from './read-frame.js';

/** The most frames that may wait to be handled. */
const mostWaiting = 100;
/** The most bytes of a frame before an accepted hello: a hello with three credentials has fewer. */
const mostUnknown = 16 * 1024;
/** The most unreadable frames before the connection ends: the widget sends none. */
const mostUnreadable = 10;

export interface FrameQueue {
  /** A text frame came in. */
  receive(bytes: Buffer): void;
  /** Resolves when all received frames are handled. */
  idle(): Promise<void>;
}

/**
 * The frames of one connection, read and handled in sequence: a question may directly follow its hello. `isKnown`: a
 * hello was accepted. `isOver`: the remaining frames are ignored.
 */
export function createFrameQueue(
  app: App,
  session: {
    /** Whose large frames wait in one line. */
    sender: string;
    isKnown(): boolean;
    isOver(): boolean;
    handle(frame: ClientFrame): Promise<void>;
    refuse(error: unknown, id: string | undefined): Promise<void>;
    close(code: number, reason: string): void;
  },
): FrameQueue {
  let waiting = 0;
  let unreadable = 0;
  let chain = Promise.resolve();

  async function take(bytes: Buffer): Promise<void> {
    if (session.isOver()) return;
    if (!session.isKnown() && bytes.length > mostUnknown) {
      session.close(closeCodes.tooLarge, 'too large before a hello');
      return;
    }
    const read = await readFrame(app, bytes, session.sender);
    // Large frames wait in a queue before they are read.
    if (session.isOver()) return;
    if (read.frame === undefined) {
      await session.refuse(read.problem, read.id);
      unreadable += 1;
      if (unreadable < mostUnreadable) return;
      session.close(closeCodes.policyViolation, 'too many frames that can not be read');
    } else if (read.frame.type !== 'hello' && !session.isKnown()) {
      await session.refuse(new AppError('unauthenticated', 'Say hello first.'), read.id);
      session.close(closeCodes.unauthenticated, 'no hello');
    } else {
      await session.handle(read.frame).catch((error: unknown) => session.refuse(error, read.id));
    }
  }

  return {
    receive(bytes) {
      waiting += 1;
      if (waiting > mostWaiting) {
        session.close(closeCodes.policyViolation, 'too many frames at once');
        return;
      }
      chain = chain.then(() => take(bytes)).finally(() => (waiting -= 1));
    },
    idle: () => chain,
  };
}
