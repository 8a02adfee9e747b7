import type { CommandGroup } from '../platform/cli/command-group.js';

export function addDemoCommand(program: CommandGroup): void {
  program.addConfig({
    name: 'demo',
    description: 'show the whole way on the product’s own manual, in a temporary folder',
    options: [['--exit', 'end after the answers instead of serving on']],
    answer: '{ question, response, mode, found, sources, … }, as a line for each answer',
    examples: ['assistant demo', 'assistant demo --exit'],
    async run(session, options: { exit?: boolean }) {
      const { runDemo } = await import('./run-demo.js');
      await runDemo(session, { exit: options.exit === true });
      return 0;
    },
  });
}
