import type { Context } from 'koa';
import { publicBase } from '../../accounts/sso/sign-in-addresses.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { codeOf } from '../../platform/errors.js';
import { describeSnippet, type Snippet } from '../../widget/describe-snippet.js';
import { useShown } from '../layout/shown.js';
import { type Look, tagOptionsOf } from './look.js';

export interface SiteSnippet extends Snippet {
  appId: number;
  /** The address in the tag, when it is only a guess by that of this page. */
  guessed: string | undefined;
}

/** The tag of a key with a look; undefined when the script of the widget was not built here. */
export async function snippetOf(
  app: App,
  actor: Actor,
  { key, look, ctx }: { key: { key: string; appId: number }; look: Look; ctx: Context },
): Promise<SiteSnippet | undefined> {
  const base = publicBase(app.config);
  const server = base ?? `${ctx.protocol}://${ctx.host}`;
  try {
    const given = { key: key.key, server, options: tagOptionsOf(look) };
    const snippet = await describeSnippet(app, actor, given);
    return { ...snippet, appId: key.appId, guessed: base === undefined ? server : undefined };
  } catch (error) {
    if (codeOf(error) === 'widget_not_built') return undefined;
    throw error;
  }
}

/** The lines for a page: the tag, and the sources that its policy must allow. */
export function SnippetView({ snippet }: { snippet: SiteSnippet | undefined }) {
  const { say, at } = useShown();
  const words = say.sites.snippet;
  if (snippet === undefined) return <p class="note">{words.unbuilt}</p>;
  const { tag, policy, trustedTypes, domains, guessed, appId } = snippet;
  return (
    <section>
      <h2>{words.title}</h2>
      <p>{words.tag}</p>
      <Copied id="tag" text={tag} />
      {guessed === undefined ? null : <p class="hint">{words.address(guessed)}</p>}
      {domains.length === 0 ? (
        <p class="note">
          {words.noDomains} <a href={at(`/sites/apps/${appId}`)}>{say.labels.addDomain}</a>
        </p>
      ) : (
        <>
          <p>{words.domains}</p>
          <ul class="hosts">
            {domains.map((host) => (
              <li key={host}>{host}</li>
            ))}
          </ul>
        </>
      )}
      <p>{words.policy}</p>
      <pre tabIndex={0}>
        {Object.entries(policy)
          .map(([directive, sources]) => `${directive} ${sources};`)
          .join('\n')}
      </pre>
      <p>
        {words.trustedTypes} <code>{trustedTypes}</code>
      </p>
    </section>
  );
}

/** A text with a button that copies it. */
export function Copied({ id, text }: { id: string; text: string }) {
  const { say } = useShown();
  const words = say.sites.snippet;
  return (
    <div class="copied">
      <pre tabIndex={0} id={id}>
        {text}
      </pre>
      <button data-copy={id} data-copied={words.copied} type="button" hidden>
        {words.copy}
      </button>
    </div>
  );
}
