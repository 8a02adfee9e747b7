import { messageOf } from '../platform/errors.js';

/** The receiver of a message has refused it for good: another attempt would change nothing. */
export class DeliveryRefused extends Error {
  constructor(reason: unknown) {
    super(messageOf(reason), { cause: reason });
    this.name = 'DeliveryRefused';
  }
}
