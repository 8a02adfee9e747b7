import { dirname, join } from 'node:path';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';

/**
 * Around the script of a part: it dispatches itself on its own element, where the loader takes it up (`RunPart` in
 * browser/load-part-script.ts).
 */
export const wrapping = {
  banner: {
    js: 'document.currentScript.dispatchEvent(new CustomEvent("assistant:part",{detail:(shared,deliver)=>{',
  },
  footer: { js: '}}));' },
};

/**
 * Has parts take the modules that `file` imports from the object `shared` of the script that loads them, instead of
 * holding them once more. Sources import them as any other.
 */
export async function shareModules(
  file: string,
  bundle: (options: BuildOptions) => Promise<Pick<BuildResult, 'metafile'>>,
): Promise<Plugin> {
  const exportsOf = async (path: string): Promise<string[]> => {
    const { metafile } = await bundle({ entryPoints: [path], format: 'esm' });
    return Object.values(metafile?.outputs ?? {}).flatMap((output) => output.exports);
  };
  const { metafile } = await bundle({ entryPoints: [file], format: 'esm' });
  const imported = Object.entries(metafile?.inputs ?? {}).find(([path]) => file.endsWith(path));
  const shared = new Map<string, string[]>();
  for (const { original = '' } of imported?.[1].imports ?? []) {
    const path = join(dirname(file), original.replace(/\.js$/, '.ts'));
    shared.set(path, await exportsOf(path));
  }
  return {
    name: 'shared modules',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const whole = join(resolveDir, path.replace(/\.js$/, '.ts'));
        return shared.has(whole)
          ? { path: whole, namespace: 'shared', sideEffects: false }
          : undefined;
      });
      build.onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => ({
        contents: `export const {${shared.get(path)?.join() ?? ''}} = shared;`,
      }));
    },
  };
}
