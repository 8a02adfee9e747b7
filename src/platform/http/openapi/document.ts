/** The parts of JSON Schema 2020-12 that schemas of the interface are made of. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  contentMediaType?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export type Content = Record<
  string,
  { schema: JsonSchema; encoding?: Record<string, { contentType: string }> }
>;

export interface Response {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Content;
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** Who may call it, in words. */
  'x-access': string;
  /** The codes of its refusals, those of every operation left out. */
  'x-refusals': string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
}

/** One error code, as the document lists them all. */
export interface DocumentedError {
  code: string;
  status: number;
  meaning: string;
}

/** An OpenAPI 3.1 document, as far as this product makes use of it. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  jsonSchemaDialect: string;
  info: { title: string; version: string; description: string };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, { description: string; schema: JsonSchema }>;
    securitySchemes: Record<string, Record<string, string>>;
  };
  /** Every code that a problem can carry, with its HTTP status and what it means. */
  'x-error-codes': DocumentedError[];
}
