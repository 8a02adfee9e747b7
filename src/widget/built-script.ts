import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../platform/errors.js';
import { packageRoot } from '../platform/package-root.js';
import { partNames, type PartName } from '../chat/parts/part-names.js';

/** The encodings in order of preference. */
const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

const endings: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };

export type ScriptName = 'assistant.js' | `${PartName}.js`;

/** The first script, and the parts that it loads on demand. */
export const scriptNames: readonly ScriptName[] = [
  'assistant.js',
  ...partNames.map((name) => `${name}.js` as const),
];

/** The path of a script, below the service's address. */
export function scriptPath(name: ScriptName): string {
  return `/widget/v1/${name}`;
}

export interface BuiltScript {
  /** For the attribute of a script tag: the browser then runs only these bytes. */
  integrity: string;
  /** At least `identity`. Each variant has its own ETag, because the bytes differ. */
  variants: Map<Encoding, { bytes: Buffer; etag: string }>;
}

/** The output folder of `npm run build`. */
export function builtFolder(): string {
  return join(packageRoot(), 'dist/widget/v1');
}

/** A built script. Errors: `widget_not_built` when it is missing. */
export async function readBuiltScript(
  name: ScriptName,
  folder = builtFolder(),
): Promise<BuiltScript> {
  const read = await Promise.all(
    encodings.map(async (encoding) => {
      const bytes = await readIfThere(join(folder, name + endings[encoding]));
      return bytes === undefined ? [] : [{ encoding, bytes }];
    }),
  );
  const files = read.flat();
  const script = files.find(({ encoding }) => encoding === 'identity');
  if (script === undefined) {
    const sentence = 'The script of the widget was not built here: run `npm run build`.';
    throw new AppError('widget_not_built', sentence);
  }
  const digest = createHash('sha384').update(script.bytes).digest('base64');
  return {
    integrity: `sha384-${digest}`,
    variants: new Map(
      files.map(({ encoding, bytes }) => [
        encoding,
        { bytes, etag: `"${digest.slice(0, 32)}-${encoding}"` },
      ]),
    ),
  };
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
