import assert from 'node:assert/strict';
import {
  openIdentity,
  type Identity,
  type IdentityOptions,
} from '../../src/chat/connection/identity.js';
import { claimsOf } from '../../src/chat/connection/identity.js';
import { openTestBrowser, type TestBrowser } from '../support/test-browser.js';

/** What the visitor's own clock says has nothing to do with it. */
const issued = Date.parse('2001-03-01T12:00:00Z') / 1000;

/** A token as far as the widget looks into it: whose it is, and how many seconds it holds. */
function tokenOf(sub: string, seconds: number): string {
  const claims = Buffer.from(JSON.stringify({ sub, iat: issued, exp: issued + seconds }));
  return `e30.${claims.toString('base64url')}.x`;
}

describe('The identity of a widget’s user', () => {
  let browser: TestBrowser;
  let now: number;
  let changes: boolean[];
  let told: string[];
  let opened: Identity[];
  beforeEach(() => {
    now = 0;
    changes = [];
    told = [];
    opened = [];
    browser = openTestBrowser('https://acme.example', new Map(), () => now);
  });
  afterEach(() => opened.forEach((identity) => identity.end()));

  const open = (given: Partial<IdentityOptions> = {}, tab = browser, key = 'wk_live_1') => {
    const options = { userToken: undefined, getUserToken: undefined, ...given };
    const identity = openIdentity(
      ...([tab, key, 'https://help.example', options] as const),
      (isOther) => void changes.push(isOther),
      (why) => void told.push(why),
    );
    opened.push(identity);
    return identity;
  };

  it('is stored by key and subject, and removed when another person signs in', async () => {
    const anna = tokenOf('1', 3600);
    open({ userToken: anna }).keepConversation('c1');
    assert.equal(open({ userToken: anna }).conversationId(), 'c1');
    assert.equal(open({ userToken: anna }, browser, 'wk_live_2').conversationId(), undefined);
    assert.equal(open({ userToken: tokenOf('2', 3600) }).conversationId(), undefined);
    assert.equal(open({ userToken: anna }).conversationId(), undefined);
    const visitor = open();
    assert.equal((await visitor.credentials()).userToken, undefined);
  });

  it('stays signed in across pages after the sign-in form, and is removed at sign-out', async () => {
    const token = tokenOf('7', 3600);
    const first = open();
    first.keepVisitor('v1', true);
    first.signIn(token);
    first.keepConversation('c7');
    assert.deepEqual(await first.credentials(), {
      ...{ apiKey: 'wk_live_1', userToken: token, visitorToken: undefined },
    });
    const second = open();
    assert.equal(second.isSignedIn(), true);
    assert.equal(second.conversationId(), 'c7');
    second.signOut();
    assert.deepEqual([second.isSignedIn(), second.conversationId()], [false, undefined]);
    assert.equal(browser.stored.size, 0);
  });

  it('is signed out in every tab at once', () => {
    const [one, two] = [open(), open()];
    one.signIn(tokenOf('7', 3600));
    browser.tellStored();
    assert.deepEqual([one.isSignedIn(), two.isSignedIn()], [true, true]);
    one.signOut();
    browser.tellStored();
    assert.equal(two.isSignedIn(), false);
  });

  it('is one visitor if two tabs open at the same moment', async () => {
    const [one, two] = [open(), open()];
    assert.equal(one.keepVisitor('v1', true), true);
    assert.equal(two.keepVisitor('v2', true), false);
    assert.equal((await two.credentials()).visitorToken, 'v1');
    assert.equal(two.keepVisitor('v1-renewed', false), true);
    assert.equal((await two.credentials()).visitorToken, 'v1-renewed');
  });

  it('requests one new token for all waiting callers when a token is about to expire', async () => {
    let asked = 0;
    const fresh = tokenOf('1', 7200);
    const getUserToken = () => {
      asked += 1;
      return Promise.resolve(fresh);
    };
    const identity = open({ userToken: tokenOf('1', 3600), getUserToken });
    identity.keepConversation('c1');
    await identity.credentials();
    assert.equal(asked, 0);
    now = 3541_000;
    const both = await Promise.all([identity.credentials(), identity.credentials()]);
    assert.deepEqual(
      both.map(({ userToken }) => userToken),
      [fresh, fresh],
    );
    assert.equal(asked, 1);
    assert.equal(identity.conversationId(), 'c1');
    assert.deepEqual(changes, [false]);
  });

  it('treats a null token as signed out, and another person’s token as that person', async () => {
    const answers = [null, tokenOf('2', 3600)];
    const getUserToken = () => answers.shift() ?? null;
    const identity = open({ userToken: tokenOf('1', 30), getUserToken });
    identity.keepConversation('c1');
    now += 15_000;
    assert.equal((await identity.credentials()).userToken, undefined);
    assert.equal(identity.conversationId(), undefined);
    assert.deepEqual(changes, [true]);
    const next = open({ userToken: tokenOf('1', 30), getUserToken });
    next.keepConversation('c1');
    now += 15_000;
    assert.equal(claimsOf((await next.credentials()).userToken ?? '').subject, '2');
    assert.equal(next.conversationId(), undefined);
  });

  it('keeps a valid token while the page’s function fails', async () => {
    const token = tokenOf('1', 30);
    const getUserToken = () => Promise.reject(new Error('offline'));
    const identity = open({ userToken: token, getUserToken });
    now += 15_000;
    const credentials = await identity.credentials();
    assert.equal(credentials.userToken, token);
    assert.equal(await identity.recover(credentials), false);
  });

  it('is the person whom the page’s new function names, for all callers that waited for the old one', async () => {
    const token = tokenOf('1', 3600);
    for (const replaced of [() => new Promise<string>(() => undefined), () => tokenOf('2', 60)]) {
      const identity = open({ getUserToken: replaced });
      const waiting = identity.credentials();
      const answer = Promise.resolve(token);
      identity.update({ userToken: undefined, getUserToken: () => answer });
      assert.equal((await waiting).userToken, token);
    }
  });

  it('is a visitor for all waiting callers if the page removes its function', async () => {
    const identity = open({ getUserToken: () => new Promise<string>(() => undefined) });
    const waiting = identity.credentials();
    identity.update({ userToken: undefined, getUserToken: undefined });
    assert.equal((await waiting).userToken, undefined);
  });

  describe('A page that does not name its user in time', () => {
    const { setTimeout: later } = globalThis;
    const settled = () => new Promise(setImmediate);
    let waits: number;
    beforeEach(() => {
      waits = 0;
      globalThis.setTimeout = ((callback: () => void, ms: number) => {
        if (ms !== 10_000) return later(callback, ms);
        waits += 1;
        return later(callback, 0);
      }) as typeof setTimeout;
    });
    afterEach(() => {
      globalThis.setTimeout = later;
    });

    it('delays the session once, makes the user a visitor, and signs them in when the answer arrives', async () => {
      let answer: (token: string) => void = () => undefined;
      const asked = new Promise<string>((resolve) => (answer = resolve));
      const identity = open({ getUserToken: () => asked });
      for (let n = 0; n < 3; n += 1)
        assert.equal((await identity.credentials()).userToken, undefined);
      assert.equal(waits, 1);
      assert.deepEqual(told, ['getUserToken did not answer within 10 s.']);
      assert.deepEqual(changes, []);
      answer(tokenOf('1', 3600));
      await settled();
      assert.deepEqual(changes, [true]);
      assert.equal((await identity.credentials()).userToken, tokenOf('1', 3600));
    });

    it('keeps a token that is still valid, and does not wait again after it is refused', async () => {
      const token = tokenOf('1', 30);
      const identity = open({ userToken: token, getUserToken: () => new Promise(() => undefined) });
      now += 15_000;
      const credentials = await identity.credentials();
      assert.equal(credentials.userToken, token);
      assert.equal(await identity.recover(credentials), false);
      assert.equal((await identity.credentials()).userToken, token);
      assert.deepEqual(told.length, 1);
    });

    it('is asked again when a token is needed later, and an older answer is then ignored', async () => {
      const answers: ((token: string) => void)[] = [];
      const getUserToken = () => new Promise<string>((resolve) => answers.push(resolve));
      const identity = open({ userToken: tokenOf('1', 30), getUserToken });
      now += 15_000;
      await identity.credentials();
      now += 10_000;
      const credentials = identity.credentials();
      assert.equal(answers.length, 2);
      answers[1]?.(tokenOf('1', 3600));
      assert.equal((await credentials).userToken, tokenOf('1', 3600));
      answers[0]?.(tokenOf('1', 50));
      await settled();
      assert.equal((await identity.credentials()).userToken, tokenOf('1', 3600));
    });

    it('is reported as late only if it is late', async () => {
      const token = tokenOf('1', 30);
      const identity = open({ userToken: token, getUserToken: () => Promise.resolve(token) });
      for (let n = 0; n < 3; n += 1) {
        now += 60_000;
        await identity.credentials();
      }
      assert.ok(waits > 2);
      await new Promise((resolve) => later(resolve, 1));
      assert.deepEqual(told, []);
    });

    it('is asked again when the page sets another function', async () => {
      const never = () => new Promise<string>(() => undefined);
      const identity = open({ getUserToken: never });
      await identity.credentials();
      const getUserToken = () => Promise.resolve(tokenOf('2', 3600));
      identity.update({ userToken: undefined, getUserToken });
      await settled();
      assert.equal((await identity.credentials()).userToken, tokenOf('2', 3600));
    });
  });

  it('makes the user a visitor if the page repeats the token that was refused', async () => {
    const token = tokenOf('1', 3600);
    const identity = open({ getUserToken: () => token });
    assert.equal(await identity.recover(await identity.credentials()), true);
    assert.equal((await identity.credentials()).userToken, undefined);
    assert.deepEqual(changes, [true]);
    assert.equal(told.length, 1);
  });

  describe('A token that is about to expire', () => {
    /** How often the page is asked by who needs a token every second, and has each one refused where it is told to. */
    const asksWithin = async (
      seconds: number,
      userToken: string | undefined,
      answer: () => unknown,
      isRefused = false,
    ) => {
      const times: number[] = [];
      const getUserToken = () => {
        times.push(now / 1000);
        return answer() as string;
      };
      const identity = open({ userToken, getUserToken });
      for (const end = now + seconds * 1000; now < end; now += 1000) {
        const credentials = await identity.credentials();
        if (isRefused) await identity.recover(credentials);
      }
      identity.end();
      return times;
    };
    const tokenNo = (n: number, seconds = 3600) =>
      `e30.${tokenOf('1', seconds).split('.')[1]}.${n}`;

    it('is renewed at half of its lifetime if that is under two minutes', async () => {
      const short = () => tokenOf('1', 60);
      assert.deepEqual(await asksWithin(200, undefined, () => tokenNo(now, 60)), [
        ...[0, 30, 60, 90, 120, 150, 180],
      ]);
      // One that holds for no time at all is never a reason to ask on and on.
      const none = await asksWithin(200, short(), () => tokenNo(now, 0.01));
      assert.ok(none.length < 8, String(none));
    });

    it('is not renewed before a refusal if it has no expiry time', async () => {
      const claims = Buffer.from(JSON.stringify({ sub: '1', exp: 5 })).toString('base64url');
      const silent = `e30.${claims}.x`;
      assert.deepEqual(await asksWithin(3600, silent, () => tokenNo(1)), []);
      const identity = open({ userToken: silent, getUserToken: () => tokenNo(1) });
      assert.equal(await identity.recover(await identity.credentials()), true);
      assert.equal((await identity.credentials()).userToken, tokenNo(1));
    });

    it('is requested less and less often while the page fails or repeats a refused token', async () => {
      const fails = () => Promise.reject(new Error('offline'));
      const late = await asksWithin(600, tokenOf('1', 60), fails);
      assert.deepEqual(late, [30, 40, 60, 100, 180, 340]);
      assert.ok((await asksWithin(600, undefined, fails)).length < 8);
      for (const answer of [() => tokenNo(now), fails, () => 7, () => 'abc.def.ghi', () => '']) {
        const times = await asksWithin(600, tokenNo(-1), answer, true);
        assert.ok(times.length < 15, `${answer.toString()}: ${times.join()}`);
      }
    });

    it('is renewed at once if it was refused after the computer slept', async () => {
      let asked = 0;
      const identity = open({ getUserToken: () => tokenNo((asked += 1)) });
      const refused = await identity.credentials();
      now += 2000;
      const both = await Promise.all([identity.recover(refused), identity.recover(refused)]);
      assert.deepEqual(both, [true, true]);
      assert.equal((await identity.credentials()).userToken, tokenNo(2));
      // Refused as well: nothing better is to be had from the page right now.
      assert.equal(await identity.recover(await identity.credentials()), false);
      assert.equal(asked, 2);
    });
  });

  it('is not replaced by the key alone if the key was refused', async () => {
    const identity = open();
    assert.equal(await identity.recover(await identity.credentials()), false);
  });

  it('is not read from malformed values in the store', async () => {
    const key = 'assistant:wk_live_1';
    for (const text of [
      '',
      'null',
      '[]',
      '7',
      '{"subject":7}',
      '{"subject":"","visitorToken":{}}',
    ]) {
      browser.stored.set(key, text);
      const { visitorToken, userToken } = await open().credentials();
      assert.deepEqual([visitorToken, userToken], [undefined, undefined], text);
    }
  });

  it('belongs to an unknown person if it can’t be parsed', () => {
    for (const token of ['', 'x', 'a.b.c', 'a.!!.c', `a.${btoa('null')}.c`, `a.${btoa('{}')}.c`]) {
      assert.deepEqual(claimsOf(token), { subject: token, lifetime: Infinity });
    }
  });
});
