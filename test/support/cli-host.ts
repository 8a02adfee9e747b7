import { runProgram } from '../../src/main/run-program.js';

/** A message of run-cli.ts: the arguments of one command, with its folder and environment. */
export interface HostedCommand {
  folder: string;
  args: string[];
  env: Record<string, string>;
}

export interface HostedResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Collects the output while `work` runs. */
async function written(stream: NodeJS.WriteStream, work: () => Promise<void>): Promise<string> {
  const write = stream.write.bind(stream);
  let text = '';
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  };
  await work().finally(() => (stream.write = write));
  return text;
}

async function run({ folder, args, env }: HostedCommand): Promise<HostedResult> {
  process.chdir(folder);
  Object.assign(process.env, env);
  process.exitCode = 0;
  let stdout = '';
  const stderr = await written(process.stderr, async () => {
    stdout = await written(process.stdout, () => runProgram(args));
  });
  for (const name of Object.keys(env)) Reflect.deleteProperty(process.env, name);
  // Read again, because the compiler assumes the value that was written above.
  const { exitCode: code } = process as { exitCode: number };
  process.exitCode = 0;
  return { code, stdout, stderr };
}

// Each command listens for signals and broken pipes, as in a process of its own. This is not a leak.
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);
process.on('message', (command: HostedCommand) => {
  void run(command).then((result) => process.send?.(result));
});
// A command that hangs must not outlive the tests.
process.once('disconnect', () => process.exit());
