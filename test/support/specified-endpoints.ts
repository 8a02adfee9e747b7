/** Every endpoint of the service's specification, by method and path. */
export const specifiedEndpoints = [
  'GET /api/knowledge',
  'POST /api/knowledge',
  'PUT /api/knowledge/:id',
  'DELETE /api/knowledge/:id',
  'GET /api/knowledge/requests',
  'PUT /api/knowledge/requests/:id',
  'POST /api/knowledge/ingest-pdf',
  'GET /api/knowledge/ingestion-batches/:batch_id',
  'GET /api/knowledge/ingestion-batches',
  'POST /api/knowledge/ingestion-batches/:batch_id/approve',
  'DELETE /api/knowledge/ingestion-batches/:batch_id',
  'GET /api/knowledge/page',
  'POST /api/conversations/message',
  'GET /api/conversations',
  'GET /api/conversations/:id/messages',
  'POST /widget/token',
];
