import type { AssistantConfig } from '../chat/api-types.js';
import { attributeOf } from '../chat/options.js';
import { getKeyNamed } from '../federation/manage-widget-keys.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { localHost } from '../tenancy/app-of-origin.js';
import { listDomains } from '../tenancy/sites.repository.js';
import { readBuiltScript, scriptPath } from './built-script.js';
import { parseUrl } from '../platform/text/parse-url.js';

/** The options of the widget that a tag can carry, as the texts of its attributes. */
export type TagOptions = { [Name in keyof AssistantConfig]?: string };

/** Everything that a page needs to show the widget. */
export interface Snippet {
  key: string;
  tag: string;
  integrity: string;
  /** The sources that a Content-Security-Policy must allow. */
  policy: { 'script-src': string; 'connect-src': string };
  /** The Trusted Types policy for the panel's script, for pages that list the allowed policies. */
  trustedTypes: string;
  /** The domains whose pages may use the key. */
  domains: string[];
}

/**
 * The tag that loads the widget from a server, for a key by its number, text or name, with options. Refuses as findNamed does for an
 * unknown key, with `conflict` a revoked one, with `usage` an invalid address, and as readBuiltScript does.
 */
export async function describeSnippet(
  app: App,
  actor: Actor,
  { key: given, server, options = {} }: { key: string; server: string; options?: TagOptions },
): Promise<Snippet> {
  const { organizationId } = requirePermission(actor, 'administer');
  const base = serverAddress(server);
  const { key, appId, revokedAt } = await getKeyNamed(app, actor, given);
  if (revokedAt !== null) {
    throw new AppError(
      'conflict',
      'The key was revoked: create another one (assistant keys create).',
      { reason: { is: 'key_revoked' } },
    );
  }
  const { integrity } = await readBuiltScript('assistant.js');
  const domains = (await listDomains(app, organizationId)).filter((one) => one.appId === appId);
  const sockets = base.origin.replace(/^http/, 'ws');
  const source = `${base.origin}${base.path}${scriptPath('assistant.js')}`;
  return {
    key,
    tag: `<script src="${source}" integrity="${integrity}" crossorigin="anonymous" data-api-key="${key}"${attributes(options)} async></script>`,
    integrity,
    policy: { 'script-src': base.origin, 'connect-src': `${base.origin} ${sockets}` },
    trustedTypes: 'assistant',
    domains: [
      ...domains.map(({ host }) => host).filter((host) => !localHost.test(host)),
      ...(app.config.widget.allow_localhost ? ['localhost'] : []),
    ],
  };
}

/** The attributes of the options that are not empty. */
function attributes(options: TagOptions): string {
  const given = Object.entries(options).filter(([, value]) => value !== '');
  return given.map(([name, value]) => ` ${attributeOf(name)}="${escapeText(value)}"`).join('');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function serverAddress(text: string): { origin: string; path: string } {
  const url = parseUrl(text);
  const isPlain = url !== undefined && url.username === '' && url.search === '' && url.hash === '';
  if (isPlain && /^https?:$/.test(url.protocol)) {
    // The path contains no quotes: URL encodes them as %22.
    return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
  }
  throw new AppError('usage', `--server: ${text} is no http(s) address.`);
}
