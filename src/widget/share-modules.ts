import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Around the script of a part: it hands itself to its own element, on which the loader waits for it (`RunPart`). A list
 * of words has nothing to be strict about.
 */
export function wrapping(isStrict: boolean) {
  const mode = isStrict ? '"use strict";' : '';
  return {
    banner: { js: `document.currentScript.take((deliver,shared)=>{${mode}` },
    footer: { js: '});' },
  };
}

/** Which names parts take from a module, by its path. */
export type SharedModules = Readonly<Record<string, string>>;

/** What `file` imports to share it; a part that imports anything else of these modules does not build. */
export async function sharedModules(file: string): Promise<SharedModules> {
  const text = await readFile(file, 'utf8');
  const imports = text.matchAll(/^import \{([^}]*)\} from '([^']*)';$/gm);
  return Object.fromEntries(
    Array.from(imports, ([, names = '', path = '']) => [source(dirname(file), path), names]),
  );
}

/**
 * Has a part take these modules from the object `shared` that it is given, instead of holding them once more. Sources
 * import them as any other.
 */
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
