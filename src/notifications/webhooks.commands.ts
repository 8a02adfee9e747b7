import type { CommandGroup } from '../platform/cli/command-group.js';
import { printable } from '../platform/text/printable.js';
import type { Page } from '../platform/db/select-page.js';

export function addWebhookCommands(program: CommandGroup): void {
  const webhooks = program.group('webhooks', 'addresses that are told about answered questions');
  webhooks.list({
    things: 'webhooks',
    description: 'list the webhooks',
    examples: ['assistant webhooks list'],
    async load({ app, actor }, { page, limit }: Page) {
      const { listWebhooks } = await import('./manage-webhooks.js');
      const { presentWebhook } = await import('./notifications.schema.js');
      return { ...(await listWebhooks(app, actor, { page, limit })), present: presentWebhook };
    },
    columns: [
      { title: 'id', value: ({ id }) => id },
      { title: 'active', value: ({ disabled }) => (disabled ? 'no' : 'yes') },
      { title: 'address', value: ({ url }) => url, flexible: true },
    ],
  });
  webhooks.add({
    name: 'test',
    description: 'send an event of the type webhook.test to a webhook, and print its answer',
    arguments: [['<webhook>', 'number, or the beginning of the address']],
    answer: '{ delivered, answer_status, error }',
    examples: [
      'assistant webhooks test 1',
      'assistant webhooks test https://hooks.example.com --json',
    ],
    async run({ app, actor, out }, _options: object, name: string) {
      const { getWebhookNamed, sendTestDelivery } = await import('./send-test-delivery.js');
      const { presentTestDelivery } = await import('./notifications.schema.js');
      const { id, url } = await getWebhookNamed(app, actor, name);
      const tried = await sendTestDelivery(app, actor, id);
      const { delivered, answerStatus, error } = tried;
      const told = delivered ? `${printable(url)} answered ${answerStatus}.` : (error ?? '');
      out.result(presentTestDelivery(tried), told);
      return delivered ? 0 : 1;
    },
  });
}
