import { chooseEncoding, knowsTag } from '../platform/http/negotiate.js';
import { operation, type Operation } from '../platform/http/operation.js';
import {
  builtFolder,
  readBuiltScript,
  scriptNames,
  scriptPath,
  type BuiltScript,
  type ScriptName,
} from './built-script.js';

/**
 * Every page may load the scripts and check their integrity, which browsers do only if any origin may read them. They
 * change only with the version of the service: an old copy may be used for a day while the new one is fetched.
 */
const headers = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
};

const summaries: Record<ScriptName, string> = {
  'assistant.js': 'The script of the widget, to be loaded by a page',
  'panel.js': 'The widget’s panel, loaded when a visitor moves to the button',
  'pages.js': 'The pages of the panel’s menu, loaded on demand',
  'requests.js': 'Answers without a WebSocket, loaded when none can be opened',
  'masking.js': 'The masking of personal data, loaded with the panel where a page has it masked',
  'host-theme.js': 'The adoption of a page’s look, loaded with the theme `host`',
  'texts-en.js': 'The words of the widget’s panel in English, loaded with the panel',
  'texts-es.js': 'The words of the widget’s panel in Spanish, loaded with the panel',
  'texts-de.js': 'The words of the widget’s panel in German, loaded with the panel',
};

/** Serves the scripts from `folder`; read at the first request, then cached. */
export function scriptOperations(folder = builtFolder()): Operation[] {
  return scriptNames.map((name) => {
    let kept: BuiltScript | undefined;
    return operation({
      method: 'get',
      path: scriptPath(name),
      tag: 'Widget',
      summary: summaries[name],
      access: 'anyone',
      // Content management systems append their own version to each script: `?ver=6.5`.
      ignoresQuery: true,
      replies: { 200: undefined, 304: undefined },
      produces: 'text/javascript',
      replyHeaders: ['ETag'],
      refusals: ['widget_not_built'],
      async handle(_app, { ctx }) {
        // Needed on refusals too, because the header decides what a cache stores.
        ctx.vary('Accept-Encoding');
        const { variants } = (kept ??= await readBuiltScript(name, folder));
        const encoding = chooseEncoding(ctx.get('Accept-Encoding'), [...variants.keys()]);
        const chosen = variants.get(encoding);
        if (chosen === undefined) throw new Error(`the script has no variant ${encoding}`);
        const coding = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
        const described = { ...headers, ETag: chosen.etag };
        if (knowsTag(ctx.get('If-None-Match'), chosen.etag)) {
          return { status: 304, headers: described };
        }
        return { status: 200, body: chosen.bytes, headers: { ...described, ...coding } };
      },
    });
  });
}
