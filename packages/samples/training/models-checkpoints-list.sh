curl -sS --fail-with-body "$TRAINYARD_TRAINING_URL/v1/preview/models/6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30/checkpoints?limit=20&order=desc" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY"
