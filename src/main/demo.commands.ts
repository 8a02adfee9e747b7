import type { Command } from 'commander';
import { withExamples, type Cli } from '../platform/cli/cli.js';

export function addDemoCommand(program: Command, cli: Cli): void {
  withExamples(
    program
      .command('demo')
      .description('show the whole way on the product’s own manual, in a temporary folder')
      .option('--exit', 'end after the answers instead of serving on'),
    'assistant demo',
    'assistant demo --exit',
  ).action(async (options: { exit?: boolean }, command: Command) => {
    await cli.withConfig(command, async (session) => {
      const { runDemo } = await import('./run-demo.js');
      await runDemo(session, { exit: options.exit === true });
      return 0;
    });
  });
}
