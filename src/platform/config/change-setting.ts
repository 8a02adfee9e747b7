import { chmod, chown, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, parse, parseDocument, stringify, type Document } from 'yaml';
import { readSetting } from './environment.js';
import { checkSettings, parseSettings } from './load-config.js';
import { maskSecret } from './secret-settings.js';
import { getSetting, valueAt, type Setting } from './settings.js';
import { AppError, messageOf } from '../errors.js';

export interface ChangedSetting {
  setting: Setting;
  /** As they may be shown: secrets are masked. `before` is undefined when the file did not have the setting. */
  before: unknown;
  value: unknown;
  /** False when the file had this value already: it was not written. */
  changed: boolean;
  /** Other settings of the file that can't be used. */
  otherProblems: number;
}

/**
 * Sets one setting in a configuration file, and keeps its comments and its order. `text` has the form of environment
 * variables: lists by commas. Errors: `not_found` for an unknown setting; `invalid_config` for a value that the setting
 * does not take. The file is replaced in one step, with its mode and owner.
 */
export async function changeSetting(
  file: string,
  path: string,
  text: string,
): Promise<ChangedSetting> {
  const setting = getSetting(path);
  const value = readSetting(setting.keys, text);
  const old = await readFile(file, 'utf8');
  const settings = await parseSettings(file, old);
  const changed = withSetting(old, setting.keys, value);
  const { problems } = checkSettings(parse(changed), {});
  const isOwn = (problem: string) => problem === path || problem.startsWith(`${path}.`);
  const own = problems.find((problem) => isOwn(problem.path));
  if (own !== undefined) {
    const message = own.message.replace(/[^.?]$/, '$&.');
    const sentence = `${path}: ${message} Nothing was changed. For the allowed values: assistant config explain ${path}`;
    throw new AppError('invalid_config', sentence, { problems: [own] });
  }
  const before = valueAt(settings, setting.keys);
  const isChanged = !isDeepStrictEqual(before, value);
  if (isChanged) await replaceFile(file, changed);
  const shown = (one: unknown) => maskSecret(path, one);
  return {
    setting,
    before: shown(before),
    value: shown(value),
    changed: isChanged,
    otherProblems: problems.length,
  };
}

/** Changes only the value where that is possible. Else the whole text is written anew from its parsed form. */
function withSetting(text: string, keys: string[], value: unknown): string {
  const document = parseDocument(text);
  const node = document.getIn(keys, true);
  const [start, end] = (isNode(node) ? node.range : undefined) ?? [];
  setIn(document, keys, value);
  const wanted = document.toJS() as unknown;
  if (start !== undefined && end !== undefined && !text.slice(start, end).includes('\n')) {
    const spliced = `${text.slice(0, start)}${inLine(value)}${text.slice(end)}`;
    if (isSame(spliced, wanted)) return spliced;
  }
  const written = document.toString({
    lineWidth: 0,
    indent: /^( +)[\w#-]/m.exec(text)?.[1]?.length ?? 2,
    flowCollectionPadding: /[[{] /.test(text),
  });
  return text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written;
}

/** A group whose keys are all commented out is null, and its comments must stay. */
function setIn(document: Document, keys: string[], value: unknown): void {
  for (let depth = 1; depth < keys.length; depth++) {
    const group = keys.slice(0, depth);
    const present = document.getIn(group, true);
    if (isMap(present)) continue;
    const map = document.createNode({});
    if (isNode(present)) {
      map.commentBefore = present.commentBefore ?? null;
      map.comment = present.comment ?? null;
    }
    document.setIn(group, map);
  }
  // A scalar that is there takes the value itself, and keeps its comment.
  const isList = Array.isArray(value);
  document.setIn(keys, isList ? document.createNode(value, { flow: true }) : value);
}

function isSame(text: string, wanted: unknown): boolean {
  try {
    return isDeepStrictEqual(parse(text), wanted);
  } catch {
    return false;
  }
}

const inOneLine = { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 } as const;

/** A value in one line, quoted where another form could mean something else there. */
function inLine(value: unknown): string {
  const plain = stringify(value, inOneLine).trim();
  if (typeof value !== 'string') return plain;
  return /^[\w./:@+ <>-]+$/.test(plain) ? plain : JSON.stringify(value);
}

/** A reader meanwhile, or after a crash, finds either the old text or the new one. A link stays a link. */
async function replaceFile(named: string, text: string): Promise<void> {
  const file = await realpath(named);
  const { mode, uid, gid } = await stat(file);
  const draft = `${file}.${process.pid}.partial`;
  try {
    const written = await open(draft, 'wx', 0o600);
    try {
      await written.writeFile(text);
      await written.sync();
    } finally {
      await written.close();
    }
    // Only root can give a file away. For others, the owner is the same already.
    if (process.getuid?.() === 0) await chown(draft, uid, gid);
    await chmod(draft, mode & 0o7777);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    const next =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'Free some space'
        : code === 'EROFS'
          ? 'Mount its file system for writing'
          : 'Run the command as the user that owns it';
    const sentence = `${file} can't be written (${messageOf(error)}). Nothing was changed. ${next}.`;
    throw new AppError('invalid_config', sentence, { cause: error });
  }
}
