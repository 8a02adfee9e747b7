import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/*
 * Mocha loads this module into the process that runs the tests and into its workers (`--require` in package.json).
 * It ends a run that hangs: mocha's own limit is for one test, so a file of 200 tests could wait for hours. It also
 * says at once what hangs or has failed, because mocha shows the results of a file only when the file has ended.
 */

/** How long each of the two tiers may take. A file that takes half of it ends the run. */
const minutes = Number(process.env['TEST_MINUTES'] ?? 40);
const runLimit = minutes * 60_000;
const fileLimit = runLimit / 2;
/** The folder in which each worker notes what it runs, named by its process id. */
const folderName = 'TEST_RUN_FOLDER';

interface Note {
  file: string;
  test: string;
  /** When the file and the test began, in milliseconds. */
  fileSince: number;
  testSince: number;
}

let watch: NodeJS.Timeout | undefined;

export function mochaGlobalSetup(): void {
  const folder = mkdtempSync(join(tmpdir(), 'test-run-'));
  process.env[folderName] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // If its workers are gone, mocha ends silently with success. It sets its own exit code at its end.
  process.exitCode = 1;
  const started = Date.now();
  let minute = 0;
  watch = setInterval(() => {
    const now = Date.now();
    const running = readNotes(folder);
    const isOver = running.some(({ fileSince }) => now - fileSince >= fileLimit);
    if (isOver || now - started >= runLimit) {
      say(`The tests took too long and are ended after ${inMinutes(now - started)}.`);
      for (const { file, test, fileSince } of running) {
        say(`${file} has run for ${inMinutes(now - fileSince)} and is ended in: ${test}`);
      }
      rmSync(folder, { recursive: true, force: true });
      endProcesses(process.pid);
    }
    if (now - started < (minute + 1) * 60_000) return;
    minute++;
    for (const { file, test, testSince } of running) {
      if (now - testSince < 60_000) continue;
      say(`${file} has been for ${inMinutes(now - testSince)} in: ${test}`);
    }
  }, 1000).unref();
}

export function mochaGlobalTeardown(): void {
  clearInterval(watch);
}

let current: Note | undefined;
let timedOut: string | undefined;

export const mochaHooks: Mocha.RootHookObject = {
  beforeAll(this: Mocha.Context) {
    begin(this.test?.parent?.suites[0]?.file, 'what stands before its tests');
  },
  beforeEach(this: Mocha.Context) {
    const { file = '', title = '' } = this.currentTest ?? {};
    begin(file, title);
    // Each of the remaining tests might take as long.
    if (timedOut !== undefined) throw new Error(`This file is given up after: ${timedOut}`);
  },
  afterEach(this: Mocha.Context) {
    const { err, title = '', state } = this.currentTest ?? {};
    if (state !== 'failed') return;
    if (err !== undefined && 'code' in err && err.code === 'ERR_MOCHA_TIMEOUT') timedOut = title;
    say(`${current?.file ?? ''} failed in: ${title}: ${err?.message ?? ''}`);
  },
  afterAll() {
    rmSync(noteFile(), { force: true });
  },
};

function begin(path: string | undefined, test: string): void {
  const file = relative(process.cwd(), path ?? '');
  const testSince = Date.now();
  if (current?.file !== file) timedOut = undefined;
  const fileSince = current?.file === file ? current.fileSince : testSince;
  current = { file, test, fileSince, testSince };
  writeFileSync(noteFile(), JSON.stringify(current));
}

function noteFile(): string {
  return join(process.env[folderName] ?? '', String(process.pid));
}

function readNotes(folder: string): Note[] {
  return readdirSync(folder).flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as Note];
    } catch {
      // The worker is writing its note or has just ended. The next read finds a complete note.
      return [];
    }
  });
}

/** Ends a process and all of its descendants, the youngest first. */
function endProcesses(root: number): void {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(join('/proc', name, 'stat'), 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // The process has ended since it was listed.
    }
  }
  const all = [root];
  for (const pid of all) all.push(...(children.get(pid) ?? []));
  for (const pid of all.reverse()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended together with another one.
    }
  }
}

function inMinutes(milliseconds: number): string {
  return `${(milliseconds / 60_000).toFixed(1)} minutes`;
}

/** Writes at once, independently of mocha's report. */
function say(text: string): void {
  writeSync(2, `\n${text}\n`);
}
