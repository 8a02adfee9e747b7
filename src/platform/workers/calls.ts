import { AppError, type AppErrorOptions, type ErrorCode } from '../errors.js';

/** Functions that another thread may call. */
export type Functions = Record<string, (...args: never[]) => unknown>;

/** The functions of another thread. What they take and return is copied. */
export interface Calls<F extends Functions> {
  /** Rejects with the function's error; an AppError stays one. */
  call: <N extends keyof F & string>(
    name: N,
    ...args: Parameters<F[N]>
  ) => Promise<Awaited<ReturnType<F[N]>>>;
  /** Rejects the calls under way, and all further ones: the other thread will never answer them. */
  fail(error: Error): void;
  underWay: () => number;
}

type Message =
  | { kind: 'call'; id: number; name: string; args: never[] }
  | { kind: 'result'; id: number; result: unknown }
  | { kind: 'error'; id: number; error: unknown }
  | { kind: 'refusal'; id: number; code: ErrorCode; message: string; options: AppErrorOptions };

interface Port {
  postMessage(message: Message): void;
  on(event: 'message', listener: (message: Message) => void): unknown;
}

/** Calls the functions at the other end of a port, and has `own` called from there. */
export function connectCalls<F extends Functions>(port: Port, own: Functions = {}): Calls<F> {
  const waiting = new Map<
    number,
    { resolve: (result: never) => void; reject: (error: unknown) => void }
  >();
  let last = 0;
  let failure: Error | undefined;
  const send = (message: Message) => port.postMessage(message);
  port.on('message', (message: Message) => {
    const { id } = message;
    if (message.kind === 'call') {
      const { name, args } = message;
      Promise.resolve(args)
        .then((args) => own[name]?.(...args))
        .then((result) => send({ kind: 'result', id, result }))
        .catch((error: unknown) => send(errorMessage(id, error)));
      return;
    }
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (message.kind === 'result') resolve?.(message.result as never);
    else if (message.kind === 'error') reject?.(message.error);
    else reject?.(new AppError(message.code, message.message, message.options));
  });
  return {
    call: (name, ...args) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) {
          reject(failure);
          return;
        }
        const id = ++last;
        waiting.set(id, { resolve, reject });
        send({ kind: 'call', id, name, args });
      }),
    fail(error) {
      failure = error;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
    underWay: () => waiting.size,
  };
}

/** A copied error loses its class. */
function errorMessage(id: number, error: unknown): Message {
  if (!(error instanceof AppError)) return { kind: 'error', id, error };
  const { code, message, reason, problems, retryAfterSeconds } = error;
  const options = {
    reason,
    ...(problems && { problems }),
    ...(retryAfterSeconds && { retryAfterSeconds }),
  };
  return { kind: 'refusal', id, code, message, options };
}
