import { join } from 'node:path';
import { createTestClock } from '../support/test-clock.js';
import { serveTestApp } from '../support/test-app.js';
import { signIn, type Caller } from './callers.js';
import { readFacts, type Facts } from './oracle.js';
import { Secrets } from './secrets.js';
import { Sender } from './send.js';
import { Store, type Change } from './store.js';
import { addSecondFactors } from './world-sign-on.js';
import { buildWorld, type World } from './world.js';

/** A server on a full database, with all callers and the known facts. */
export interface Arena {
  url: string;
  /** The folder of the database, which is test.sqlite. */
  folder: string;
  world: World;
  callers: Caller[];
  store: Store;
  facts: Facts;
  secrets: Secrets;
  sender: Sender;
  /** Internal errors that the server has logged and shows to no client. */
  bugs: unknown[];
  /** The changes since the kept state, with what the server writes only after it has answered. */
  changes(): Promise<Change[]>;
  close(): Promise<void>;
}

/** Without limits, because a run sends as much in a minute as people send in a month. */
const config = {
  // Notifications are stored for sending, but not sent.
  mail: { host: 'mail.example' },
  notifications: { worker: false },
  sources: { worker: false },
  // Accounts are linked on pages of localhost.
  widget: { allow_localhost: true },
  limits: {
    ...{ address_per_minute: 0, user_per_minute: 0, key_per_minute: 0 },
    ...{ at_once_per_address: 0, invalid_bodies_per_minute: 0 },
    ...{ messages_per_minute: 0, uploads_per_minute: 0 },
  },
  auth: {
    ...{ login_attempts: 1000, login_attempts_per_address: 100_000 },
    login_attempts_per_account_minute: 10_000,
  },
};

export async function openArena(): Promise<Arena> {
  const clock = createTestClock();
  const test = await serveTestApp(config, clock);
  const bugs: unknown[] = [];
  test.app.log.error = (logged: unknown) => void bugs.push((logged as { err?: unknown }).err);
  try {
    const world = await buildWorld(test);
    const callers = await signIn(test, clock, world);
    await addSecondFactors(test.app, world.sides);
    const store = await Store.open(join(test.folder, 'test.sqlite'), test.folder);
    const facts = await readFacts(store);
    const sender = new Sender(test.url);
    return {
      ...{ url: test.url, folder: test.folder, world, callers, store, facts, sender, bugs },
      secrets: new Secrets(facts, world.secrets),
      async changes() {
        await test.app.keySightings.settled();
        return store.changes();
      },
      async close() {
        sender.close();
        await store.close();
        await test.close();
      },
    };
  } catch (error) {
    await test.close();
    throw error;
  }
}
