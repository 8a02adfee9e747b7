import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Wraps a part's script: it passes itself to its own element (`RunPart`). Texts need no strict mode. */
export function wrapping(isStrict: boolean) {
  const mode = isStrict ? '"use strict";' : '';
  return {
    banner: { js: `document.currentScript.take((deliver,shared)=>{${mode}` },
    footer: { js: '});' },
  };
}

/** The exports that parts take from a module, by its path. */
export type SharedModules = Readonly<Record<string, string>>;

/** The imports of `file`, which it shares. A part that imports another name of these modules fails to build. */
export async function sharedModules(file: string): Promise<SharedModules> {
  const text = await readFile(file, 'utf8');
  const imports = text.matchAll(/^import \{([^}]*)\} from '([^']*)';$/gm);
  return Object.fromEntries(
    Array.from(imports, ([, names = '', path = '']) => [source(dirname(file), path), names]),
  );
}

/** Makes a part take these modules from the object `shared` instead of containing them again. */
export function taking(modules: SharedModules): Plugin {
  const namespace = 'shared';
  return {
    name: 'shared modules',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path: given, resolveDir }) => {
        const path = source(resolveDir, given);
        return path in modules ? { path, namespace, sideEffects: false } : undefined;
      });
      build.onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: `export const {${modules[path] ?? ''}} = shared;`,
      }));
    },
  };
}

function source(folder: string, imported: string): string {
  return join(folder, imported.replace(/\.js$/, '.ts'));
}

/**
 * Property names that the widget's scripts shorten: compression can't shrink names that occur once or twice. List only
 * names that nothing outside these scripts uses: none of the browser, of the service's documents or of the page's
 * options, and none that is looked up by a text. Some in the last line also exist in browsers, but not on objects that
 * the widget uses. Add new names at the end, and never move or remove one: a page with an older first script may load
 * newer parts.
 */
const names = `
  carrier setMessage emit texts newConversation loadHistory loadPages keepVisitor isCancelled answerKey
  setVisible waitingFor readPage onStored isOnline openConversation reply askPerson openChannel suggest proceed recover
  onAnswered onOpen isElsewhere isSignedIn signedIn onClose isAwake copyLabel createdAt onReached onNetwork onNeeded
  isBusy newest notice isAnswer isKnown textsOf onGone cited forget hear
  markNotificationRead loadRequestAnswers deleteConversation signOut readConversations listConversations readConversation
  keepConversation openBrowserHost fillSmallScreen loadHostTheme findQuestion readMessages createPanel
  onOtherTab byRequests fillPerson answerHelp openSocket greet nameTexts updatedAt nextFrame learnOnce isPainted mergeInto
  interrupt onMessage onRefused converse onAccent tellRead tryAgain markRead replyOf onEmpty catchUp onState onFrame
  giveUp refuse ground reveal onTold onRead unsent toEnd lose idOf asIs
  ServiceError answerText noticeOf timeText waitText nameButton setText citation
  unconfirmed signInWrong rateLimited whatWrong askPersonEmail emailWrong deleteThis signedInAs notHelpful copyAnswer
  helpful thanks quoted
  isNewHere forgetEarlier hasEarlier continueEarlier settleEarlier selectedNow
  state node session restoring connection update spoken home leave store popup opener latest
  onToken onSilence onFault renew renewAt askBy isDue
  elapsed lifetime restart expect learn tooLong sign level receive follow release refresh
  allowed loadAgain endOf counts about decline reset
`;

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

export const shortNames: Readonly<Record<string, string>> = Object.fromEntries(
  names
    .trim()
    .split(/\s+/)
    .map((name, at) => [name, shortName(at)]),
);

/** One letter, then two with a capital first letter: no name in the sources has that form. */
function shortName(at: number): string {
  const last = letters.charAt(at % letters.length);
  return at < letters.length ? last : letters.charAt(25 + at / letters.length) + last;
}
