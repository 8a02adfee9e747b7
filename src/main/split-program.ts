import type { Metafile, Plugin } from 'esbuild';

/** Decides which modules are in the file that every start reads. Paths are relative to the root, as esbuild names them. */
export interface Split {
  starting: ReadonlySet<string>;
  /** Other modules that these import, always on demand. */
  doors: string[];
  /** Modules of these that the others import. */
  shared: string[];
  /** The path of the module that `importer` imports as `original`; undefined for one outside the program. */
  find(importer: string, original: string): string | undefined;
}

/** The entry point and the substitutes of plugins. */
const made = /^(<stdin>$|shared:|global:)/;

/** Splits the program at the dynamic imports of modules for which `isApart` holds. */
export function splitProgram(
  { inputs }: Metafile,
  entry: string,
  isApart: (path: string) => boolean,
): Split {
  const importsOf = (path: string) =>
    (inputs[path]?.imports ?? []).filter((one) => one.external !== true && !made.test(one.path));
  const starting = new Set([entry]);
  // The loop also visits the modules that it adds.
  for (const path of starting) {
    for (const { path: imported, kind } of importsOf(path)) {
      if (kind !== 'dynamic-import' || !isApart(imported)) starting.add(imported);
    }
  }
  const importedAcross = (isStarting: boolean) => {
    const importers = Object.keys(inputs).filter((path) => starting.has(path) === isStarting);
    const imported = importers.flatMap(importsOf).map(({ path }) => path);
    return [...new Set(imported.filter((path) => starting.has(path) !== isStarting))].sort();
  };
  return {
    starting,
    doors: importedAcross(true),
    shared: importedAcross(false),
    find: (importer, original) =>
      importsOf(importer).find((imported) => imported.original === original)?.path,
  };
}

/** Makes the other file take modules of the first one out of that, through the `require` that it is run with. */
export function takingShared(
  split: Split,
  { inputs }: Metafile,
  nameOf: (file: string) => string,
): Plugin {
  return {
    name: 'taking-shared',
    setup(build) {
      build.onResolve({ filter: /^start:/ }, ({ path }) => ({ path, external: true }));
      build.onResolve({ filter: /./ }, ({ path: original, importer }) => {
        const path = split.find(nameOf(importer), original);
        return path !== undefined && split.starting.has(path)
          ? { path, namespace: 'shared' }
          : undefined;
      });
      build.onLoad({ filter: /./, namespace: 'shared' }, ({ path }) => {
        const from = JSON.stringify(`start:${path}`);
        const contents =
          inputs[path]?.format === 'esm'
            ? `export * from ${from}; export { default } from ${from};`
            : `module.exports = require(${from});`;
        return { contents };
      });
    },
  };
}

/** An entry point with `modules`: a function for each path that loads that module of the same file. */
export function entryWith(paths: string[], load: 'import' | 'require', text = ''): string {
  const functions = paths.map(
    (path) => `${JSON.stringify(path)}: () => ${load}(${JSON.stringify(`./${path}`)}),`,
  );
  return `${text}\nexport const modules = {\n${functions.join('\n')}\n};\n`;
}

/** All modules inside two files. Throws if one is in both: a second `AppError` would be no instance of the first. */
export function modulesOf(...metafiles: Metafile[]): string[] {
  const modules = metafiles
    .flatMap(({ inputs }) => Object.keys(inputs))
    .filter((path) => !made.test(path));
  const twice = modules.find((path, index) => modules.indexOf(path) !== index);
  if (twice !== undefined) throw new Error(`${twice} is in two files of the program.`);
  return modules;
}
