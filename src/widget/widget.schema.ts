import { z } from 'zod';

export const visitorTokenReply = z
  .string()
  .optional()
  .describe(
    'Visitors only. To be sent as X-Visitor-Token from now on: without it nothing asked is shown again.',
  );
