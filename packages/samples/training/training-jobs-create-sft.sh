curl -sS --fail-with-body "$TRAINYARD_TRAINING_URL/v1/preview/sft-training-jobs" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "model_id": "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30",
    "training_data_url": "artifact:///harbor/support-desk/conversations:v3",
    "config": {"batch_size": "auto"}
  }'
