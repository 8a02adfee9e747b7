import type { FSWatcher } from 'chokidar';
import type { App } from '../platform/app.js';
import {
  type BackgroundWorker,
  repeatUntilStopped,
} from '../platform/workers/repeat-until-stopped.js';
import type { Source } from './source.js';
import { findScheduledFolders, makeDue } from './sources.repository.js';

/** How often the list of folders is read, in milliseconds. */
const lookMs = 30_000;
/** A folder counts as quiet when nothing in it has changed for so long: people copy many files at once. */
const quietMs = 2000;

export interface FolderWatches {
  /** Watches the folders of the sources that have an interval, as they are now. Resolves when it does. */
  update(): Promise<void>;
  close(): Promise<void>;
}

interface Watch {
  place: string;
  watcher: FSWatcher;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Makes a folder due soon after something in it has changed. What is missed, as on a network disk, is found when the
 * interval has passed: a folder that can't be watched is only logged.
 */
export function createFolderWatches(app: App, quiet = quietMs): FolderWatches {
  const watches = new Map<number, Watch>();

  async function watch({ id, place }: Source): Promise<void> {
    const { watch } = await import('chokidar');
    const isHidden = (path: string) => /[/\\]\.[^/\\]/.test(path.slice(place.length));
    const watcher = watch(place, { ignoreInitial: true, ignored: isHidden });
    const one: Watch = { place, watcher };
    watches.set(id, one);
    const due = () => {
      makeDue(app, id).then(
        () => app.jobs.wake(),
        (error: unknown) => app.log.warn({ err: error }, 'a changed folder was not made due'),
      );
    };
    watcher.on('all', () => {
      clearTimeout(one.timer);
      one.timer = setTimeout(due, quiet);
    });
    await new Promise<void>((resolve) => {
      watcher.once('ready', resolve);
      watcher.on('error', (error) => {
        app.log.warn({ err: error, source: id }, 'a folder is not watched');
        resolve();
      });
    });
  }

  async function stop(id: number, { watcher, timer }: Watch): Promise<void> {
    watches.delete(id);
    clearTimeout(timer);
    await watcher.close();
  }

  return {
    async update() {
      const wanted = new Map((await findScheduledFolders(app)).map((one) => [one.id, one]));
      for (const [id, one] of watches) {
        if (wanted.get(id)?.place !== one.place) await stop(id, one);
      }
      for (const [id, source] of wanted) if (!watches.has(id)) await watch(source);
    },
    async close() {
      for (const [id, one] of watches) await stop(id, one);
    },
  };
}

/** Watches the folders of sources until stopped. */
export function startFolderWatcher(app: App): BackgroundWorker {
  const watches = createFolderWatches(app);
  const complaint = 'folders are not watched';
  const step = () => watches.update();
  const worker = repeatUntilStopped(app, { pollMs: lookMs, complaint, step });
  return {
    async stop() {
      await worker.stop();
      await watches.close();
    },
  };
}
