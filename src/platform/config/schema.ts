import { z } from 'zod';
import { roles } from '../actor.js';
import { parseUrl } from '../text/parse-url.js';

// Every start creates these schemas, and creating one costs more than a check, so common parts are
// created once.
const int = z.int();
const flag = z.boolean();
const line = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line, without control characters');
const someText = line.min(1);
const whole = (min: number, max: number) => int.check(z.gte(min), z.lte(max));

/** The address of a database of PostgreSQL. */
export const postgresAddress = /^postgres(?:ql)?:\/\/\S+$/;
const port = whole(0, 65_535);
const positive = int.min(1);
const milliseconds = whole(1, 86_400_000);
/** Requests per minute; 0 means no limit. */
const perMinute = whole(0, 1_000_000);
/** Retention in days; 0 means for ever. */
const days = whole(0, 36_500);
const exactPublicUrl =
  'must be an http(s) address without a query, e.g. https://assistant.example.com';
const exactOrigin = 'must be an origin as browsers send it, e.g. https://console.example.com';

const exactPackage = 'must be the name of an npm package, e.g. @acme/assistant';
const packageName = /^(?:@[a-z\d][a-z\d._~-]*\/)?[a-z\d][a-z\d._~-]*$/;

/**
 * Every setting with its default and meaning. A test compares the keys with config.example.yaml. Objects are strict: an
 * unknown key prevents the start.
 */
export const configSchema = z.strictObject({
  server: z
    .strictObject({
      host: someText.default('127.0.0.1'),
      port: port.default(8080),
      drain_timeout_ms: milliseconds.default(15_000),
      stop_delay_ms: whole(0, 600_000).default(0),
      public_url: z.string().refine(isPublicUrl, exactPublicUrl).nullable().default(null),
      trust_proxy: whole(0, 10).default(0),
      cors_origins: z.array(z.string().refine(isOrigin, exactOrigin)).max(100).default([]),
      stall_timeout_ms: whole(100, 600_000).default(30_000),
      request_timeout_ms: milliseconds.default(900_000),
    })
    .prefault({}),
  database: z
    .strictObject({
      url: z
        .string()
        .regex(postgresAddress, 'must be like postgres://user@host/name')
        .nullable()
        .default(null),
      path: someText.default('./data/assistant.sqlite'),
      readers: whole(1, 16).default(3),
      busy_timeout_ms: milliseconds.default(10_000),
      auto_migrate: flag.default(true),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
      format: z.enum(['auto', 'json', 'text']).default('auto'),
      requests: flag.default(true),
    })
    .prefault({}),
  limits: z
    .strictObject({
      address_per_minute: perMinute.default(6000),
      at_once_per_address: whole(0, 100_000).default(300),
      body_mb_at_once: whole(0, 100_000).default(200),
      invalid_bodies_per_minute: perMinute.default(60),
      user_per_minute: perMinute.default(3000),
      key_per_minute: perMinute.default(60_000),
      messages_per_minute: perMinute.default(600),
      answers_at_once: whole(0, 100_000).default(20),
      requests_per_minute: perMinute.default(60),
      uploads_per_minute: perMinute.default(300),
      refusal_delay_ms: whole(0, 60_000).default(250),
      database_wait_ms: whole(1, 60_000).default(50),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      enabled: flag.default(true),
      token: line.min(16).max(200).nullable().default(null),
    })
    .prefault({}),
  auth: z
    .strictObject({
      issuer: someText.default('assistant'),
      access_token_minutes: whole(1, 1440).default(15),
      refresh_token_days: whole(1, 365).default(30),
      login_attempts: whole(1, 1000).default(5),
      login_attempts_per_address: whole(1, 100_000).default(30),
      login_window_minutes: whole(1, 1440).default(15),
      login_attempts_per_account_minute: whole(1, 10_000).default(20),
      require_two_factor: z.array(z.enum(roles)).max(3).default([]),
      secrets_key: line.min(32).max(1000).nullable().default(null),
    })
    .prefault({}),
  sso: z
    .strictObject({
      allow_private: flag.default(false),
      session_hours: whole(1, 720).default(12),
      timeout_ms: whole(100, 60_000).default(10_000),
    })
    .prefault({}),
  widget: z
    .strictObject({
      user_token_minutes: whole(1, 1440).default(60),
      sign_in_hours: whole(1, 720).default(8),
      visitor_token_days: whole(1, 365).default(30),
      allow_localhost: flag.default(false),
      sockets_per_address: whole(0, 100_000).default(100),
      sockets_per_app: whole(0, 100_000).default(5000),
    })
    .prefault({}),
  ingestion: z
    .strictObject({
      worker: flag.default(true),
      threads: whole(1, 32).default(2),
      thread_memory_mb: whole(64, 65_536).default(1024),
      max_file_mb: whole(1, 50).default(50),
      max_pages: positive.default(5000),
      page_timeout_ms: milliseconds.default(20_000),
      file_timeout_ms: milliseconds.default(600_000),
      section_max_chars: whole(500, 50_000).default(4000),
      section_min_chars: whole(0, 5000).default(200),
      ocr: z.enum(['off', 'auto', 'always']).default('off'),
      entries: z.enum(['auto', 'sections', 'model']).default('auto'),
      model_may_omit: z.number().min(0).max(1).default(0),
      lease_ms: whole(1000, 3_600_000).default(30_000),
      poll_ms: whole(50, 600_000).default(1000),
    })
    .prefault({}),
  answers: z
    .strictObject({
      mode: z.enum(['auto', 'ollama', 'extractive']).default('auto'),
      max_sentences: whole(1, 10).default(3),
      max_passages: whole(1, 20).default(6),
      min_relevance: z.number().min(0).max(1).default(0.4),
      min_similarity: z.number().min(0).max(1).default(0.5),
      resume_window_ms: milliseconds.default(15_000),
    })
    .prefault({}),
  ollama: z
    .strictObject({
      url: someText.default('http://127.0.0.1:11434'),
      chat_model: someText.default('llama3.2'),
      num_ctx: whole(2048, 1_048_576).default(8192),
      answer_tokens: whole(64, 131_072).default(1024),
      think: z.enum(['off', 'on', 'low', 'medium', 'high']).default('off'),
      keep_alive: someText.default('5m'),
      warm_up: flag.default(false),
      first_token_timeout_ms: milliseconds.default(120_000),
      idle_timeout_ms: milliseconds.default(30_000),
      total_timeout_ms: milliseconds.default(600_000),
      concurrency: whole(1, 64).default(2),
      embedding_model: line.max(200).default(''),
      embedding_batch: whole(1, 512).default(32),
      embedding_timeout_ms: milliseconds.default(120_000),
      embedding_query_timeout_ms: milliseconds.default(1500),
      // Some models are prompted with several lines.
      embedding_query_prefix: z.string().max(500).nullable().default(null),
      embedding_passage_prefix: z.string().max(500).nullable().default(null),
      embedding_lease_ms: whole(1000, 3_600_000).default(30_000),
      embedding_poll_ms: whole(50, 600_000).default(2000),
    })
    .prefault({}),
  search: z
    .strictObject({
      term_memory_mb: whole(1, 65_536).default(512),
      vector_memory_mb: whole(1, 65_536).default(256),
    })
    .prefault({}),
  notifications: z
    .strictObject({
      worker: flag.default(true),
      senders: whole(1, 32).default(4),
      max_attempts: whole(1, 50).default(8),
      first_retry_ms: milliseconds.default(30_000),
      webhook_timeout_ms: milliseconds.default(10_000),
      lease_ms: whole(1000, 3_600_000).default(120_000),
      poll_ms: whole(50, 600_000).default(5000),
    })
    .prefault({}),
  sources: z
    .strictObject({
      worker: flag.default(true),
      at_once: whole(1, 32).default(2),
      allow_private: flag.default(false),
      contact: line.max(200).default(''),
      browser: line.max(1000).default(''),
      lease_ms: whole(1000, 3_600_000).default(60_000),
      poll_ms: whole(50, 600_000).default(5000),
    })
    .prefault({}),
  webhooks: z.strictObject({ allow_private: flag.default(false) }).prefault({}),
  mail: z
    .strictObject({
      host: line.default(''),
      port: port.default(587),
      security: z.enum(['starttls', 'tls', 'none']).default('starttls'),
      user: line.default(''),
      password: line.default(''),
      from: line.min(3).default('Assistant <assistant@localhost>'),
      timeout_ms: milliseconds.default(20_000),
    })
    .prefault({}),
  upgrade: z
    .strictObject({
      package: z.string().regex(packageName, exactPackage).or(z.literal('')).default(''),
      registry_timeout_ms: milliseconds.default(15_000),
    })
    .prefault({}),
  privacy: z
    .strictObject({
      mask_personal_data: flag.default(true),
      retention: z
        .strictObject({
          conversations: days.default(0),
          requests: days.default(0),
          feedback: days.default(0),
          notifications: days.default(0),
          usage: days.default(0),
          audit: days.default(0),
          sign_in_places: days.default(90),
        })
        .prefault({}),
    })
    .prefault({}),
});

export type Config = z.infer<typeof configSchema>;

/** Accepts scheme, host and port in the form that browsers send. Any other form would never match. */
function isOrigin(text: string): boolean {
  const isExact = /^https?:\/\/[^*]+$/.test(text);
  return isExact && parseUrl(text)?.origin === text;
}

/** Accepts the address at which browsers reach this service, including its path prefix, if any. */
function isPublicUrl(text: string): boolean {
  const url = parseUrl(text);
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    /^https?:\/\/[^?#@\p{Cc}\p{Cs}]+$/u.test(text)
  );
}
