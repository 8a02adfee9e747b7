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
