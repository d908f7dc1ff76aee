curl -sS --fail-with-body "$TRAINYARD_TRAINING_URL/v1/preview/models" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY" \
  -H "Idempotency-Key: create-agent-1" \
  -H "Content-Type: application/json" \
  -d '{
    "project": "support-desk",
    "name": "agent-1",
    "base_model": "demo/tiny",
    "return_existing": true
  }'
