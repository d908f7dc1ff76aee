curl -sS --fail-with-body "$TRAINYARD_TRAINING_URL/v1/preview/training-jobs/d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43" \
  -H "Authorization: Bearer $TRAINYARD_API_KEY"
