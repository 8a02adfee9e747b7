import { z } from 'zod';
import { isChecklistHidden } from '../../accounts/users/preferences.js';
import {
  backup,
  listOwnBackups,
  mayMakeBackup,
  startBackup,
} from '../../operations/manage-backups.js';
import { backupFolder } from '../../operations/backup/backup-record.js';
import {
  listEffectiveSettings,
  type EffectiveSetting,
} from '../../operations/config/list-effective-settings.js';
import type { SeenAddress } from '../../operations/examine-proxy.js';
import { isOperator, requireOperator } from '../../operations/operators.js';
import { readHealth } from '../../operations/read-health.js';
import { readSystem } from '../../operations/read-system.js';
import { examination, startExamination } from '../../operations/start-examination.js';
import { eventStream, type ServerEvent } from '../../platform/http/event-stream.js';
import type { WorkState } from '../../platform/long-work.js';
import { packageVersion } from '../../platform/package-root.js';
import { parseUrl } from '../../platform/text/parse-url.js';
import { choiceOf } from '../layout/filters.js';
import { action, page, type PageRequest } from '../page.js';
import { Backups } from './backups-view.js';
import { origins, Settings } from './settings-view.js';
import { System } from './system-view.js';

const systemPage = page({
  path: '/system',
  access: 'administer',
  async show(app, { actor, ctx, say, signedIn }) {
    const [health, system, isHidden] = await Promise.all([
      readHealth(app, actor),
      (await isOperator(app, actor)) ? readSystem(app, actor, seenAddress(ctx)) : undefined,
      isChecklistHidden(app, signedIn?.user.id ?? 0),
    ]);
    const body = (
      <System health={health} system={system} isHidden={isHidden} version={packageVersion()} />
    );
    return { title: say.system.title, body };
  },
  actions: {
    examine: action({
      done: 'examinationStarted',
      act: (app, { actor }) => startExamination(app, actor),
    }),
  },
});

/** Only where the request comes from a page of ours: else its referrer is the address of another site. */
function seenAddress(ctx: PageRequest<unknown, unknown>['ctx']): SeenAddress {
  const site = ctx.get('Sec-Fetch-Site');
  const referrer = ctx.get('Referer');
  const isOwn = parseUrl(referrer)?.pathname.includes('/backoffice') === true;
  const forwards = ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Real-IP', 'Forwarded'];
  return {
    host: ctx.host,
    referrer: isOwn && (site === '' || site === 'same-origin') ? referrer : '',
    isForwarded: forwards.some((name) => ctx.get(name) !== ''),
  };
}

const settingsPage = page({
  path: '/system/settings',
  access: 'administer',
  query: z.object({
    name: z.string().trim().max(100).catch('').default(''),
    from: choiceOf(origins),
  }),
  async show(app, { actor, query, say }) {
    const all = await listEffectiveSettings(app, actor);
    const settings = all.filter((one) => isWanted(one, query));
    const body = <Settings settings={settings} query={query} file={app.configFile} />;
    return { title: say.system.settings.title, section: '/system', body };
  },
});

function isWanted(
  { path, from, isDefault }: EffectiveSetting,
  query: { name: string; from: (typeof origins)[number] | '' },
): boolean {
  if (!path.includes(query.name)) return false;
  return query.from === 'changed' ? !isDefault : query.from === '' || query.from === from;
}

const backupsPage = page({
  path: '/system/backups',
  access: 'administer',
  async show(app, { actor, say }) {
    const backups = await listOwnBackups(app, actor);
    const mayMake = await mayMakeBackup(app, actor);
    const work = app.longWork.last(backup);
    const body = (
      <Backups backups={backups} mayMake={mayMake} work={work} folder={backupFolder(app.config)} />
    );
    return { title: say.system.backups.title, section: '/system', body };
  },
  actions: {
    make: action({
      asksPassword: 'lately',
      done: 'backupStarted',
      act: (app, { actor }) => startBackup(app, actor),
    }),
  },
});

/** Tells the script when the work has ended that a page says is running. */
const eventsPage = page({
  path: '/system/events',
  access: 'administer',
  query: z.object({ work: z.enum([examination, backup]).catch(examination) }),
  async show(app, { actor, query }) {
    await requireOperator(app, actor);
    return eventStream(endOf(app.longWork.last(query.work)), app.stopping);
  },
});

async function* endOf(work: WorkState | undefined): AsyncGenerator<ServerEvent> {
  await work?.ended;
  yield { event: 'completed', data: {} };
}

export const systemPages = [systemPage, settingsPage, backupsPage, eventsPage];
