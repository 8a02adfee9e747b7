import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import {
  createPasswordHasher,
  type PasswordHasher,
} from '../../../src/accounts/users/password-hasher.js';
import { AppError } from '../../../src/platform/errors.js';

describe('Passwords', () => {
  let passwords: PasswordHasher;

  beforeEach(() => {
    passwords = createPasswordHasher();
  });

  afterEach(() => passwords.close());

  it('are right however their letters are composed, and wrong without a hash', async () => {
    const hash = await passwords.hash('Gar\u00e7on 12345', 1);
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.equal(await passwords.verify(hash, 'Garc\u0327on 12345'), true);
    assert.equal(await passwords.verify(hash, 'garcon 12345'), false);
    assert.equal(await passwords.verify(null, 'Garçon 12345'), false);
  });

  it('are still checked after one that could not be', async () => {
    await assert.rejects(passwords.verify('not a hash', 'Garçon 12345'));
    const hash = await passwords.hash('Garçon 12345', 1);
    assert.equal(await passwords.verify(hash, 'Garçon 12345'), true);
  });

  it('are checked no more after the end, even if they waited before it', async () => {
    const hash = await passwords.hash('Garçon 12345', 1);
    const waiting = [1, 2, 3].map(() => passwords.verify(hash, 'Garçon 12345'));
    const [, ...later] = waiting.map((check) => codeOf(check));
    await passwords.close();
    assert.deepEqual(await Promise.all(later), ['shutting_down', 'shutting_down']);
    assert.equal(await codeOf(passwords.hash('Garçon 12345', 1)), 'shutting_down');
  });

  it('are hashed at a low priority where threads have one', async () => {
    const before = await lowPriorityThreads();
    await passwords.hash('Garçon 12345', 1);
    const during = await lowPriorityThreads();
    assert.equal(during, process.platform === 'linux' ? before + 1 : 0);
  });
});

/** The code with which the work is refused. */
async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
}

/** How many threads of this process are at the priority of passwords. */
async function lowPriorityThreads(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const folder = '/proc/self/task';
  const stats = await Promise.all(
    (await readdir(folder)).map((id) => readFile(`${folder}/${id}/stat`, 'utf8').catch(() => '')),
  );
  // The nice value is the 17th field after the name, which stands in parentheses.
  return stats.filter((stat) => stat.split(') ')[1]?.split(' ')[16] === '10').length;
}
